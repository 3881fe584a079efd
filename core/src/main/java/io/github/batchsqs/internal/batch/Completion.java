/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.batch;

import io.github.batchsqs.internal.support.ForeignCode;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers entries that were settled together, in order.
 *
 * <p>One thread usually delivers all of them. If a delivery blocks it, because it is slow or waits for a later one of these
 * entries, the batcher's timer detects that and {@linkplain #run() runs} this on another thread as well, which continues
 * with the next entry.
 */
final class Completion<E, R> implements Runnable {

    private static final Logger log = LoggerFactory.getLogger(Completion.class);

    /** The one that runs on this thread now; of any batcher, so that two whose deliveries flush do not wait for each other. */
    private static final ThreadLocal<@Nullable Completion<?, ?>> CURRENT = new ThreadLocal<>();

    private final BatchCall<E, R> call;
    private final List<Pending<E, R>> entries;
    private final AtomicInteger taken = new AtomicInteger();

    /** How many entries a flush waits for. */
    private final AtomicInteger open;

    private volatile boolean recorded;

    /** Its progress at the timer's last look; belongs to the batcher's lock. */
    private int seen = -1;

    Completion(BatchCall<E, R> call, List<Pending<E, R>> entries) {
        this.call = call;
        this.entries = entries;
        this.open = new AtomicInteger(entries.size());
    }

    /** Ends the wait of every flush for the entries that the calling thread delivers. */
    static void arriveCurrent() {
        Completion<?, ?> current = CURRENT.get();
        if (current != null && current.open.getAndSet(0) > 0) {
            current.arrive();
        }
    }

    /** Reports the outcome of the entries to the call. Called once, by the thread that settled them, and before any {@link #run}. */
    void record() {
        Throwable failure = ForeignCode.run(() -> call.settled(entries));
        if (failure != null) {
            log.error("Recording the outcome of {} entries failed; their futures complete", entries.size(), failure);
        }
        recorded = true;
    }

    /** Delivers the entries that no other thread has taken yet. */
    @Override
    public void run() {
        Completion<?, ?> outer = CURRENT.get();
        CURRENT.set(this);
        try {
            while (!allTaken()) {
                Throwable failure = ForeignCode.run(this::deliverRest);
                if (failure != null) {
                    log.error("Delivering the outcome of an entry failed", failure);
                }
            }
        } finally {
            CURRENT.set(outer);
        }
    }

    /** Delivers one entry after the other, up to one whose delivery throws. */
    private void deliverRest() {
        for (int i = taken.getAndIncrement(); i < entries.size(); i = taken.getAndIncrement()) {
            try {
                call.deliver(entries.get(i));
            } finally {
                if (open.decrementAndGet() == 0) {
                    arrive();
                }
            }
        }
    }

    private void arrive() {
        entries.forEach(entry -> entry.barrier.arrive());
    }

    /** Returns whether a thread has delivered or is delivering each entry. */
    boolean allTaken() {
        return taken.get() >= entries.size();
    }

    /** Returns whether it made no progress since the last look; under the batcher's lock. */
    boolean stalledSinceLastLook() {
        int now = taken.get();
        boolean stalled = recorded && now == seen;
        seen = now;
        return stalled;
    }
}
