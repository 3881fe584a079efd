/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Asks what nothing ends and may last: a look-up of a host or a queue, a provider of credentials, a gate's condition. Each question has a
 * thread of its own, and is asked once for all who need its answer meanwhile. Safe for use by any thread.
 */
public final class SharedAsk<T> {

    /** Above what the SDK's own providers take with their retries: then it is asked anew. */
    private static final long LONGEST = TimeUnit.MINUTES.toNanos(1);

    private final String thread;
    private final Callable<T> source;
    private final long kept;
    private final long failureKept;
    private final TimeSource time;
    private final ReentrantLock lock = new EngineLock();
    private volatile @Nullable Ask last;

    /**
     * Asks nothing yet.
     *
     * @param thread the name of the threads
     * @param source gives the answer
     * @param kept how long an answer counts
     * @param failureKept how long it counts what the source threw; zero for those who wait for it alone
     */
    public SharedAsk(String thread, Callable<T> source, Duration kept, Duration failureKept, TimeSource time) {
        this.thread = thread;
        this.source = source;
        this.kept = kept.toNanos();
        this.failureKept = failureKept.toNanos();
        this.time = time;
    }

    /**
     * Returns the answer.
     *
     * @param atMost how long to wait for it, in nanoseconds
     * @throws ExecutionException with what the source threw
     * @throws TimeoutException if there is none in time
     */
    public T answer(long atMost) throws InterruptedException, ExecutionException, TimeoutException {
        return ask().answer.get(atMost, TimeUnit.NANOSECONDS);
    }

    /** Returns the answer, however often it has to be asked for; throws what the source threw. */
    public T answer() throws InterruptedException {
        while (true) {
            Ask ask = ask();
            try {
                return ask.answer.get(Math.max(1, ask.leftNanos()), TimeUnit.NANOSECONDS);
            } catch (TimeoutException asksAnew) { // the question hangs
            } catch (ExecutionException e) {
                switch (e.getCause()) {
                    case RuntimeException failure -> throw failure;
                    case Error failure -> throw failure;
                    case null, default -> throw new IllegalStateException("There is no answer", e);
                }
            }
        }
    }

    /** Returns when, from now on, it is asked anew. */
    public long leftNanos() {
        Ask ask = last;
        return ask == null ? 0 : ask.leftNanos();
    }

    private Ask ask() {
        Ask ask = last;
        return ask == null || ask.isOver() ? asked() : ask;
    }

    /** Returns whether the last answer has not counted any more for so long. */
    public boolean isOverFor(Duration length) {
        Ask ask = last;
        return ask != null && time.nanos() - ask.overAt >= length.toNanos();
    }

    private Ask asked() {
        return Locked.get(lock, () -> {
            Ask ask = last;
            if (ask == null || ask.isOver()) {
                Ask next = new Ask();
                DaemonThreads.start(thread, next);
                last = next;
                ask = next;
            }
            return ask;
        });
    }

    private final class Ask implements Runnable {

        private final CompletableFuture<T> answer = new CompletableFuture<>();

        /** When the next one who needs an answer asks anew. */
        private volatile long overAt = time.nanos() + LONGEST;

        @Override
        public void run() {
            ForeignCode.Outcome<T> outcome = ForeignCode.call(source);
            ended(outcome.value(), outcome.failure());
        }

        void ended(@Nullable T value, @Nullable Throwable failure) {
            overAt = time.nanos() + (failure == null ? kept : failureKept);
            boolean ignored = failure == null ? answer.complete(value) : answer.completeExceptionally(failure);
        }

        long leftNanos() {
            return Math.max(0, overAt - time.nanos());
        }

        boolean isOver() {
            return leftNanos() == 0;
        }
    }
}
