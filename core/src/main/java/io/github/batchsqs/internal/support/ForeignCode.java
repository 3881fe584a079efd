/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Calls code that is not the engine's: handlers, interceptors, converters, hooks, gates, executors, stores, clients, the log. Whatever it
 * throws, an {@code Error} or an interrupt too, is a result of the call. What the engine's own code throws is caught nowhere but at the
 * top of its threads, and ends the run.
 *
 * <p>A throwable whose own methods throw does not get past it: another one stands for it, so that nobody behind it needs care.
 */
public final class ForeignCode {

    private ForeignCode() {}

    /** Code without a result. */
    @FunctionalInterface
    public interface Action {
        void run() throws Exception;
    }

    /**
     * What a call returned, or what it threw.
     *
     * @param value {@code null} if it threw, or returned that
     * @param failure {@code null} if it returned
     */
    public record Outcome<T>(@Nullable T value, @Nullable Throwable failure) {}

    /** Runs the code. Returns what it threw; {@code null} if it returned. */
    public static @Nullable Throwable run(Action code) {
        try {
            code.run();
            return null;
        } catch (Throwable e) {
            return readable(e);
        }
    }

    /** Calls the code. */
    public static <T> Outcome<T> call(Callable<? extends @Nullable T> code) {
        try {
            return new Outcome<>(code.call(), null);
        } catch (Throwable e) {
            return new Outcome<>(null, readable(e));
        }
    }

    /** Returns the throwable; one in its place if its message, its text or its causes cannot be read. */
    public static Throwable readable(Throwable failure) {
        try {
            Throwable each = failure;
            for (int depth = 0; each != null && depth < Causes.MAX; depth++) {
                if (each.getClass().getClassLoader() != null) { // else it is of the JDK
                    String ignored = each + each.getMessage();
                }
                each = each.getCause();
            }
            return failure;
        } catch (Throwable e) {
            return new Unreadable(failure.getClass().getName());
        }
    }

    /** Stands for a throwable whose own methods throw. */
    private static final class Unreadable extends RuntimeException {

        private static final long serialVersionUID = 1;

        Unreadable(String type) {
            super(type + ", whose own methods throw");
        }
    }
}
