/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.batch;

import io.github.batchsqs.internal.support.ForeignCode;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Completes the futures of entries that were settled together, in order.
 *
 * <p>One thread usually completes all of them. If a callback blocks it, because it is slow or waits for a later one of these
 * futures, the batcher's timer detects that and {@linkplain #run() runs} this on another thread as well, which continues
 * with the next future.
 */
final class Completion<E, R> implements Runnable {

    private static final Logger log = LoggerFactory.getLogger(Completion.class);

    /** The completions that run on this thread now; of any batcher, so that two whose callbacks flush do not wait for each other. */
    private static final ThreadLocal<@Nullable Frame> CURRENT = new ThreadLocal<>();

    private final BatchCall<E, R> call;
    private final List<Pending<E, R>> entries;
    private final AtomicBoolean recorded = new AtomicBoolean();
    private final AtomicInteger taken = new AtomicInteger();
    private final AtomicInteger finished = new AtomicInteger();
    private final AtomicBoolean arrived = new AtomicBoolean();
    private volatile boolean ready;

    /** Its progress at the timer's last look; belongs to the batcher's lock. */
    private int seen = -1;

    Completion(BatchCall<E, R> call, List<Pending<E, R>> entries) {
        this.call = call;
        this.entries = entries;
    }

    private record Frame(
            Completion<?, ?> completion, @Nullable Frame outer) {}

    /** Ends the wait of every flush for the entries whose futures complete on the calling thread. */
    static void arriveCurrent() {
        for (Frame frame = CURRENT.get(); frame != null; frame = frame.outer) {
            frame.completion.arrive();
        }
    }

    /** Returns the number of futures that it completes. */
    int size() {
        return entries.size();
    }

    /** Reports the outcome of the entries to the call, once; on whichever thread comes first. */
    void record() {
        if (recorded.compareAndSet(false, true)) {
            within(() -> {
                Throwable failure = ForeignCode.run(() -> call.settled(entries));
                if (failure != null) {
                    log.error("Recording the outcome of {} entries failed; their futures complete", size(), failure);
                }
            });
            ready = true;
        }
    }

    /** Completes the futures that no other thread has taken yet. */
    @Override
    public void run() {
        record();
        if (ready) { // else another thread is about to report, and completes them after that
            within(() -> {
                while (!allTaken()) {
                    Throwable failure = ForeignCode.run(this::completeRest);
                    if (failure != null) {
                        log.error("Delivering the outcome of an entry failed", failure);
                    }
                }
            });
        }
    }

    /** Completes one future after the other, up to one whose completion throws. */
    private void completeRest() {
        for (int i = taken.getAndIncrement(); i < entries.size(); i = taken.getAndIncrement()) {
            Pending<E, R> entry = entries.get(i);
            try {
                deliver(entry);
            } finally {
                if (finished.incrementAndGet() == entries.size()) {
                    arrive();
                }
            }
        }
    }

    private void deliver(Pending<E, R> entry) {
        try {
            call.deliver(entry);
        } finally {
            entry.deliver();
        }
    }

    /** Returns whether a thread has completed or is completing each future. */
    boolean allTaken() {
        return taken.get() >= entries.size();
    }

    /** Returns whether it made no progress since the last look; under the batcher's lock. */
    boolean stalledSinceLastLook() {
        int now = taken.get();
        boolean stalled = now == seen;
        seen = now;
        return stalled;
    }

    private void arrive() {
        if (arrived.compareAndSet(false, true)) {
            entries.forEach(entry -> entry.barrier.arrive());
        }
    }

    private void within(Runnable work) {
        Frame outer = CURRENT.get();
        CURRENT.set(new Frame(this, outer));
        try {
            work.run();
        } finally {
            if (outer == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(outer);
            }
        }
    }
}
