/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import java.util.Collection;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads a {@link Throwable} that user code threw. Its methods may be overridden and may throw themselves; these do not.
 */
public final class SafeThrowable {

    private static final int MAX_CAUSES = 32;

    private SafeThrowable() {}

    /** Returns the message, or {@code null} if there is none; if it cannot be read, returns a text that reports this. */
    public static @Nullable String message(Throwable failure) {
        ForeignCode.Outcome<String> message = ForeignCode.call(failure::getMessage);
        return message.failure() == null
                ? message.value()
                : "its message cannot be read: getMessage() threw "
                        + message.failure().getClass().getName();
    }

    /** Returns the cause, or {@code null} if there is none or it cannot be read. */
    public static @Nullable Throwable cause(Throwable failure) {
        return ForeignCode.<Throwable>call(failure::getCause).value();
    }

    /** Returns the last of the causes, or the failure itself if it has none. */
    public static Throwable innermost(Throwable failure) {
        Throwable innermost = failure;
        Throwable next = cause(failure);
        for (int depth = 0; next != null && depth < MAX_CAUSES; depth++) {
            innermost = next;
            next = cause(next);
        }
        return innermost;
    }

    /** Returns whether the failure, or one of its causes, is of one of these types. */
    public static boolean isAny(Throwable failure, Collection<Class<? extends Throwable>> types) {
        return isAny(failure, cause -> {
            for (Class<? extends Throwable> type : types) {
                if (type.isInstance(cause)) {
                    return true;
                }
            }
            return false;
        });
    }

    /** Returns whether the failure, or one of its causes, is of this kind. */
    public static boolean isAny(Throwable failure, Predicate<Throwable> kind) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < MAX_CAUSES; depth++) {
            if (kind.test(cause)) {
                return true;
            }
            cause = cause(cause);
        }
        return false;
    }

    /** Returns the class and the message. */
    public static String text(Throwable failure) {
        String type = failure.getClass().getName();
        String message = message(failure);
        return message == null ? type : type + ": " + message;
    }

    /**
     * Returns an exception with the class, the message and the stack trace of one that cannot be logged, as far as they can
     * be read.
     */
    public static Throwable standIn(Throwable failure) {
        return new Indescribable(failure);
    }

    /** Stands in the log for a throwable whose own methods throw. */
    private static final class Indescribable extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Indescribable(Throwable failure) {
            super(text(failure), null, false, true);
            StackTraceElement[] trace = stackTrace(failure);
            if (trace != null) {
                setStackTrace(trace);
            }
        }

        private static StackTraceElement @Nullable [] stackTrace(Throwable failure) {
            return ForeignCode.<StackTraceElement[]>call(failure::getStackTrace).value();
        }
    }
}
