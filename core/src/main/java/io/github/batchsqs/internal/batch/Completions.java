/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.batch;

import io.github.batchsqs.internal.support.ForeignCode;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The completions of a {@link Batcher} that its timer watches: those whose executor may never run them, and those of several
 * futures, because a callback of one may block the rest.
 *
 * <p>Every method except {@link #handOver} and {@link #recordAndHandOver} belongs to the batcher's lock.
 */
final class Completions<E, R> {

    /** How long a callback may block the futures after its own before another thread completes them. */
    private static final long WATCH_NANOS = Duration.ofMillis(10).toNanos();

    private static final Logger log = LoggerFactory.getLogger(Completions.class);

    private final Executor threads;
    private final ArrayDeque<Completion<E, R>> watched = new ArrayDeque<>();
    private long nextLook;

    Completions(Executor threads) {
        this.threads = threads;
    }

    /** Watches a completion until a thread has begun to complete each of its futures. */
    void watch(Completion<E, R> completion, long now) {
        if (watched.isEmpty()) {
            nextLook = now + WATCH_NANOS;
        }
        for (Completion<E, R> first = watched.peekFirst();
                first != null && first.allTaken();
                first = watched.peekFirst()) {
            var unused = watched.removeFirst();
        }
        watched.addLast(completion);
    }

    /** Returns whether a thread has completed or is completing each future. */
    boolean allTaken() {
        watched.removeIf(Completion::allTaken);
        return watched.isEmpty();
    }

    /** Returns the time until the next look, or {@link OpenBatch#NEVER} if nothing is watched. */
    long nanosUntilLook(long now) {
        return watched.isEmpty() ? OpenBatch.NEVER : Math.max(0, nextLook - now);
    }

    /** Adds the completions that a callback has blocked since the last look. */
    void look(List<Completion<E, R>> stalled, long now) {
        if (!allTaken() && nextLook - now <= 0) {
            nextLook = now + WATCH_NANOS;
            for (Completion<E, R> each : watched) {
                if (each.stalledSinceLastLook()) {
                    stalled.add(each);
                }
            }
        }
    }

    /** Records the outcome on this thread, and lets a call thread complete the futures; does nothing for {@code null}. */
    void recordAndHandOver(@Nullable Completion<E, R> completion, boolean orHere) {
        if (completion != null) {
            completion.record();
            handOver(completion, orHere);
        }
    }

    /**
     * Lets a call thread complete futures; without the lock. If the executor refuses, this thread completes them,
     * unless it is the timer, which asks the executor again at its next look.
     */
    void handOver(Completion<E, R> completion, boolean orHere) {
        Throwable refusal = ForeignCode.run(() -> threads.execute(completion));
        if (refusal != null && orHere) {
            completion.run();
        } else if (refusal != null && !(refusal instanceof RejectedExecutionException)) {
            log.error("No thread to complete {} futures; it is tried again", completion.size(), refusal);
        }
    }
}
