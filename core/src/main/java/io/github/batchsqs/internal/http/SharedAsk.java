/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.http;

import io.github.batchsqs.internal.support.EngineLock;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.Locked;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Asks what nothing ends and may last: a look-up of a host, a provider of credentials. Each question has a thread of its own, and is
 * asked once for all who need its answer meanwhile. Safe for use by any thread.
 */
public final class SharedAsk<T> {

    /** Above what the SDK's own providers take with their retries: then it is asked anew. */
    private static final long LONGEST = TimeUnit.MINUTES.toNanos(1);

    private final String thread;
    private final Callable<T> source;
    private final long kept;
    private final ReentrantLock lock = new EngineLock();
    private volatile @Nullable Ask last;

    /**
     * Asks nothing yet.
     *
     * @param thread the name of the threads
     * @param source gives the answer
     * @param kept how long an answer counts; what the source throws counts for those who wait for it alone
     */
    public SharedAsk(String thread, Callable<T> source, Duration kept) {
        this.thread = thread;
        this.source = source;
        this.kept = kept.toNanos();
    }

    /**
     * Returns the answer.
     *
     * @param atMost how long to wait for it, in nanoseconds
     * @throws ExecutionException with what the source threw
     * @throws TimeoutException if there is none in time
     */
    public T answer(long atMost) throws InterruptedException, ExecutionException, TimeoutException {
        Ask ask = last;
        return (ask == null || ask.isOver() ? asked() : ask).answer.get(atMost, TimeUnit.NANOSECONDS);
    }

    private Ask asked() {
        return Locked.get(lock, () -> {
            Ask ask = last;
            if (ask == null || ask.isOver()) {
                ask = new Ask();
                HttpThreads.start(thread, ask);
                last = ask;
            }
            return ask;
        });
    }

    private final class Ask implements Runnable {

        private final CompletableFuture<T> answer = new CompletableFuture<>();

        /** When the next one who needs an answer asks anew. */
        private volatile long overAt = System.nanoTime() + LONGEST;

        @Override
        public void run() {
            ForeignCode.Outcome<T> outcome = ForeignCode.call(source);
            Throwable failure = outcome.failure();
            overAt = System.nanoTime() + (failure == null ? kept : 0);
            boolean ignored =
                    failure == null ? answer.complete(outcome.value()) : answer.completeExceptionally(failure);
        }

        boolean isOver() {
            return System.nanoTime() - overAt >= 0;
        }
    }
}
