/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.handoff;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;

/**
 * Decides when batches that the executor refused are handed to it again: after 10 ms, then after twice as long each time, at
 * most 1 s, until it accepts one or an invocation ends. Pure: no thread, no clock of its own; belongs to the {@link Dispatcher}'s lock.
 *
 * <p>Batches are handed over again in the order in which they got their slots, so that the one that waits longest is
 * accepted first and does not run out of patience. Batches that are handed over at the same moment have a thread each,
 * because the executor may hold up or use the thread of one, so it may accept a later one first. That breaks no order: a
 * standard queue has none, and on a FIFO queue only one batch of a message group has a slot.
 */
final class Refusals<T> {

    private static final long SHORTEST = Duration.ofMillis(10).toNanos();
    private static final long LONGEST = Duration.ofSeconds(1).toNanos();

    /** A batch that is refused for longer returns to the queue, where another instance may receive it. */
    private static final long PATIENCE = Duration.ofSeconds(30).toNanos();

    private final NavigableSet<T> postponed;
    private long pause = SHORTEST;
    private long retryAt;

    /** @param order the order in which batches are handed over again */
    Refusals(Comparator<T> order) {
        this.postponed = new TreeSet<>(order);
    }

    int size() {
        return postponed.size();
    }

    boolean contains(T batch) {
        return postponed.contains(batch);
    }

    boolean isEmpty() {
        return postponed.isEmpty();
    }

    /**
     * The executor refused a batch.
     *
     * @param since when it was handed over first
     * @return whether it is handed over again
     */
    boolean postpone(T batch, long since, long now) {
        if (now - since >= PATIENCE) {
            return false;
        }
        if (postponed.isEmpty()) {
            pauseFrom(now);
        }
        postponed.add(batch);
        return true;
    }

    private void pauseFrom(long now) {
        retryAt = now + pause;
        pause = Math.min(2 * pause, LONGEST);
    }

    /** The executor accepted a batch, or an invocation ended: it has room, or will soon. */
    void room(long now) {
        pause = SHORTEST;
        retryAt = now + SHORTEST;
    }

    /** Returns how long to wait before batches are handed over again; not positive if they are due, or there are none. */
    long nanosUntilDue(long now) {
        return postponed.isEmpty() ? 0 : retryAt - now;
    }

    /** Removes and returns the batches to hand over again now, in order, at most so many. */
    List<T> takeDue(long now, int max) {
        if (nanosUntilDue(now) > 0) {
            return List.of();
        }
        List<T> due = new ArrayList<>();
        while (due.size() < max && !postponed.isEmpty()) {
            due.add(takeFirst());
        }
        if (!due.isEmpty()
                && !postponed.isEmpty()) { // those without room wait together with those that are refused again
            pauseFrom(now);
        }
        return due;
    }

    /** Removes and returns the batch that waits longest, because the executor may have room again. */
    T takeFirst() {
        return Objects.requireNonNull(postponed.pollFirst(), "no batch was refused");
    }

    void clear() {
        postponed.clear();
    }
}
