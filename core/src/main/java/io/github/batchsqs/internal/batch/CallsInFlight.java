/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.batch;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The calls of a {@link Batcher} that are in flight, at most {@code max} at once, and the fate of their entries when time
 * passes or the batcher closes. Belongs to the batcher's lock.
 */
final class CallsInFlight<E, R> {

    private final int max;
    private final Set<InFlightCall<E, R>> calls = new LinkedHashSet<>();

    CallsInFlight(int max) {
        this.max = max;
    }

    /** Returns whether another call may start. */
    boolean hasRoom() {
        return calls.size() < max;
    }

    boolean isEmpty() {
        return calls.isEmpty();
    }

    /** Counts a call that carries the batch. */
    InFlightCall<E, R> add(List<Pending<E, R>> batch) {
        for (Pending<E, R> entry : batch) {
            entry.attempts++;
        }
        InFlightCall<E, R> started = new InFlightCall<>(batch);
        calls.add(started);
        return started;
    }

    void remove(InFlightCall<E, R> ended) {
        calls.remove(ended);
    }

    /** Interrupts every call. */
    void abort() {
        calls.forEach(InFlightCall::abort);
    }

    /**
     * Fails the entries whose deadline passed, and interrupts a call that carries such an entry with an ordering key, or none that
     * is not settled.
     *
     * @param settled receives the entries that fail
     */
    void expire(List<Pending<E, R>> settled, long now) {
        for (InFlightCall<E, R> each : calls) {
            for (Pending<E, R> entry : each.entries) {
                if (entry.expired(now)) {
                    if (!entry.settled) {
                        entry.mayHaveBeenAccepted = true;
                        entry.expire();
                        settled.add(entry);
                    }
                    if (entry.orderingKey != null) {
                        each.abort();
                    }
                }
            }
            if (each.entries.stream().allMatch(entry -> entry.settled)) {
                each.abort();
            }
        }
    }

    /**
     * Fails the entries that are not settled yet, because the batcher closes.
     *
     * @param settled receives them
     */
    void close(List<Pending<E, R>> settled) {
        for (InFlightCall<E, R> each : calls) {
            for (Pending<E, R> entry : each.entries) {
                if (!entry.settled) {
                    entry.mayHaveBeenAccepted = true;
                    entry.close();
                    settled.add(entry);
                }
            }
        }
    }
}
