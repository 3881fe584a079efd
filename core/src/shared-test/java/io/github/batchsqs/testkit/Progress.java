/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Waits of tests. A wait lasts as long as anything moves and fails when nothing has moved for a minute, so that a busy machine
 * makes a test slow and never red. The failure names the value that was seen last and a file with a dump of all threads.
 */
public final class Progress {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final long SHORTEST_LOOK = Duration.ofMillis(1).toNanos();
    private static final long LONGEST_LOOK = Duration.ofMillis(50).toNanos();

    private Progress() {}

    /** Waits until the condition holds. Use the other forms wherever there is something to count. */
    public static void until(Callable<Boolean> condition) {
        untilMatches(condition, held -> held);
    }

    /** Waits until the value is the expected one; each change of the value is a movement. */
    public static <T> void until(Callable<T> value, T expected) {
        try {
            untilMatches(value, expected::equals);
        } catch (Stuck e) {
            throw new Stuck(e.getMessage() + ". Expected: " + expected);
        }
    }

    /** Waits until the value matches, and returns it; each change of the value is a movement. */
    public static <T> T untilMatches(Callable<T> value, Predicate<? super T> wanted) {
        return untilMatches(value, wanted, () -> "");
    }

    /** Waits until the condition holds; each change of what moves is a movement. */
    public static void whileMoving(Callable<?> moving, Callable<Boolean> condition) {
        untilMatches(condition, held -> held, moving);
    }

    /** Waits until the assertion passes; fails with what it says last. */
    public static void untilAsserted(Assertion assertion) {
        AssertionError[] last = new AssertionError[1];
        try {
            untilMatches(
                    () -> {
                        try {
                            assertion.check();
                            return "";
                        } catch (AssertionError e) {
                            last[0] = e;
                            return String.valueOf(e.getMessage());
                        }
                    },
                    String::isEmpty);
        } catch (Stuck e) {
            e.addSuppressed(last[0]);
            throw e;
        }
    }

    /** What a test asserts. */
    @FunctionalInterface
    public interface Assertion {
        void check() throws Exception;
    }

    /** Waits until the latch is down. */
    public static void await(CountDownLatch latch) {
        until(latch::getCount, 0L);
    }

    /** Waits for the result of the future. */
    public static <T extends @Nullable Object> T get(Future<T> future) throws ExecutionException, InterruptedException {
        return done(future).get();
    }

    /** Waits until the future is complete, in whatever way, and returns it. */
    public static <F extends Future<?>> F done(F future) {
        until(future::isDone);
        return future;
    }

    /** Waits until the stage fails, and returns what it failed with, without the wrapping exception. */
    public static Throwable failure(CompletableFuture<?> future) {
        until(future::isDone);
        if (!future.isCompletedExceptionally()) {
            throw new AssertionError("Did not fail: " + future);
        }
        return future.exceptionNow();
    }

    /** Waits for the next element. */
    public static <T> T take(BlockingQueue<T> queue) {
        @Nullable Object[] taken = new @Nullable Object[1];
        until(() -> (taken[0] = queue.poll()) != null);
        @SuppressWarnings("unchecked")
        T element = (T) Objects.requireNonNull(taken[0]);
        return element;
    }

    /** Waits until the thread has ended. */
    public static void join(Thread thread) {
        until(() -> !thread.isAlive());
    }

    private static <T> T untilMatches(Callable<T> value, Predicate<? super T> wanted, Callable<?> moving) {
        long look = SHORTEST_LOOK;
        T last = call(value);
        Stillness stillness = new Stillness(System.nanoTime(), Arrays.asList(last, call(moving)));
        while (!wanted.test(last)) {
            if (Thread.currentThread().isInterrupted()) {
                throw new Stuck("Interrupted while it waited; seen last: " + last);
            }
            LockSupport.parkNanos(look);
            look = Math.min(LONGEST_LOOK, look * 2);
            last = call(value);
            List<?> sign = Arrays.asList(last, call(moving));
            if (stillness.lasts(sign, System.nanoTime()) && !wanted.test(last)) {
                throw new Stuck(
                        "Nothing has moved for a minute; seen last: " + sign + "; all threads are in " + threads());
            }
        }
        return last;
    }

    /** Knows for how long nothing has moved. */
    static final class Stillness {

        private long since;
        private Object sign;

        Stillness(long now, Object sign) {
            this.since = now;
            this.sign = sign;
        }

        /** Whether nothing has moved for a minute, the present sign included. */
        boolean lasts(Object present, long now) {
            if (!present.equals(sign)) {
                sign = present;
                since = now;
            }
            return now - since > PATIENCE.toNanos();
        }
    }

    private static <T> T call(Callable<T> value) {
        try {
            return value.call();
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError("What was waited for fails", e);
        }
    }

    private static Path threads() {
        try {
            Path file = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "stuck-")
                    .resolve("threads.txt")
                    .toAbsolutePath();
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .dumpThreads(file.toString(), ThreadDumpFormat.TEXT_PLAIN);
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Nothing moves any more. */
    private static final class Stuck extends AssertionError {
        private static final long serialVersionUID = 1;

        Stuck(String message) {
            super(message);
        }
    }
}
