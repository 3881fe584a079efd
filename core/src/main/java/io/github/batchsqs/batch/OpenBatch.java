/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.batch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The entries that wait for a call, and the decision of when a batch of them goes out.
 *
 * <p>Pure: no thread, no lock, no clock of its own. A batch goes out when it is full, or when the oldest entry that may go
 * has waited for the linger, or after a {@link #flush}.
 *
 * <p>Entries with a <i>lane</i> keep their order: while a batch with entries of a lane is out, the lane sends nothing, and
 * an entry that is tried again goes back to the head of its lane. One batch may carry several lanes. The linger of a lane
 * starts when the lane becomes free, so that lanes that come back together fill a batch together.
 */
final class OpenBatch<E, R> {

    /** Nothing to wait for. */
    static final long NEVER = Long.MAX_VALUE;

    private final BatchLimits limits;
    private final long linger;

    private final ArrayDeque<Pending<E, R>> free = new ArrayDeque<>();
    private final PriorityQueue<Pending<E, R>> delayed = new PriorityQueue<>(Comparator.comparingLong(p -> p.dueAt));
    private final Map<Object, Lane<E, R>> lanes = new HashMap<>();
    private final ArrayDeque<Lane<E, R>> freeLanes = new ArrayDeque<>();
    private final PriorityQueue<Lane<E, R>> delayedLanes = new PriorityQueue<>(Comparator.comparingLong(l -> l.dueAt));

    private int waiting;
    private int sendable;
    private long sendableBytes;
    private boolean flushed;
    private long flushedAt;

    OpenBatch(BatchLimits limits) {
        this.limits = limits;
        this.linger = limits.linger().toNanos();
    }

    /** How many entries wait, those of busy lanes and those to be tried again included. */
    int size() {
        return waiting;
    }

    /** Takes a new entry. */
    void offer(Pending<E, R> entry, long now) {
        waiting++;
        entry.dueAt = now + linger;
        if (entry.lane == null) {
            free.addLast(entry);
            count(entry, 1);
            return;
        }
        Lane<E, R> lane = lanes.computeIfAbsent(entry.lane, key -> new Lane<>());
        lane.entries.addLast(entry);
        lane.bytes += entry.bytes;
        if (lane.state == LaneState.FREE) {
            count(entry, 1);
        } else if (lane.state == LaneState.EMPTY) {
            open(lane, now);
        }
    }

    /** The next batch that should go out now, or {@code null}. Its lanes are busy until {@link #release}. */
    @Nullable
    List<Pending<E, R>> poll(long now) {
        promote(now);
        if (sendable == 0 || !(full() || nextDue() - now <= 0)) {
            return null;
        }
        return take();
    }

    /** How long until {@link #poll} may have a batch: 0 for at once, {@link #NEVER} if nothing is under way to it. */
    long nanosUntilDue(long now) {
        long wait = NEVER;
        if (sendable > 0) {
            wait = full() ? 0 : nextDue() - now;
        }
        if (!delayed.isEmpty()) {
            wait = Math.min(wait, delayed.element().dueAt - now);
        }
        if (!delayedLanes.isEmpty()) {
            wait = Math.min(wait, delayedLanes.element().dueAt - now);
        }
        return Math.max(0, wait);
    }

    /** Takes back entries without a lane that are tried again, not before the given time. */
    void retry(Pending<E, R> entry, long notBefore) {
        waiting++;
        entry.dueAt = notBefore;
        delayed.add(entry);
    }

    /**
     * Frees a lane whose batch came back.
     *
     * @param again the lane's entries that are tried again, in order
     * @param notBefore when, at the earliest; the whole lane waits for it
     */
    void release(Object key, List<Pending<E, R>> again, long notBefore, long now) {
        Lane<E, R> lane = lanes.get(key);
        if (lane == null || lane.state != LaneState.BUSY) {
            throw new IllegalStateException("The lane is not out: a batch was settled twice");
        }
        waiting += again.size();
        for (int i = again.size() - 1; i >= 0; i--) {
            lane.entries.addFirst(again.get(i));
            lane.bytes += again.get(i).bytes;
        }
        if (lane.entries.isEmpty()) {
            lanes.remove(key);
        } else if (!again.isEmpty()) {
            lane.state = LaneState.DELAYED;
            lane.dueAt = notBefore;
            delayedLanes.add(lane);
        } else {
            open(lane, now);
        }
    }

    /** Everything that waits now goes out without linger, busy lanes as soon as they are free. */
    void flush(long now) {
        flushed = true;
        flushedAt = now;
        free.forEach(entry -> entry.dueAt = now);
        freeLanes.forEach(lane -> lane.dueAt = now);
    }

    /** Removes and returns the waiting entries for which the predicate holds; the order of the others stays. */
    List<Pending<E, R>> removeIf(Predicate<Pending<E, R>> predicate) {
        List<Pending<E, R>> removed = new ArrayList<>();
        collect(free, predicate, removed);
        removed.forEach(entry -> count(entry, -1));
        collect(delayed, predicate, removed);
        for (Iterator<Map.Entry<Object, Lane<E, R>>> all = lanes.entrySet().iterator(); all.hasNext(); ) {
            Lane<E, R> lane = all.next().getValue();
            int from = removed.size();
            collect(lane.entries, predicate, removed);
            for (Pending<E, R> entry : removed.subList(from, removed.size())) {
                lane.bytes -= entry.bytes;
                if (lane.state == LaneState.FREE) {
                    count(entry, -1);
                }
            }
            if (lane.entries.isEmpty() && lane.state != LaneState.BUSY) {
                freeLanes.remove(lane);
                delayedLanes.remove(lane);
                all.remove();
            }
        }
        waiting -= removed.size();
        return removed;
    }

    private void collect(Collection<Pending<E, R>> from, Predicate<Pending<E, R>> predicate, List<Pending<E, R>> into) {
        from.removeIf(entry -> predicate.test(entry) && into.add(entry));
    }

    private boolean full() {
        return sendable >= limits.maxEntries() || sendableBytes >= limits.maxBytes();
    }

    private long nextDue() {
        if (free.isEmpty()) {
            return freeLanes.element().dueAt;
        }
        long due = free.element().dueAt;
        return freeLanes.isEmpty() || due - freeLanes.element().dueAt < 0 ? due : freeLanes.element().dueAt;
    }

    private List<Pending<E, R>> take() {
        List<Pending<E, R>> batch = new ArrayList<>(Math.min(sendable, limits.maxEntries()));
        long room = fill(batch, free, limits.maxBytes());
        for (Iterator<Lane<E, R>> open = freeLanes.iterator(); open.hasNext() && batch.size() < limits.maxEntries(); ) {
            Lane<E, R> lane = open.next();
            long left = fill(batch, lane.entries, room);
            if (left != room) {
                open.remove();
                lane.state = LaneState.BUSY;
                lane.bytes -= room - left;
                count(lane, -1);
                room = left;
            }
        }
        waiting -= batch.size();
        return batch;
    }

    /** Moves entries from the head of a queue while they fit; an entry always fits into an empty batch. */
    private long fill(List<Pending<E, R>> batch, ArrayDeque<Pending<E, R>> queue, long room) {
        long left = room;
        while (batch.size() < limits.maxEntries()) {
            Pending<E, R> next = queue.peekFirst();
            if (next == null || (next.bytes > left && !batch.isEmpty())) {
                return left;
            }
            left -= next.bytes;
            count(next, -1);
            batch.add(queue.removeFirst());
        }
        return left;
    }

    private void promote(long now) {
        for (var next = delayed.peek(); next != null && next.dueAt - now <= 0; next = delayed.peek()) {
            free.addFirst(delayed.remove());
            count(next, 1);
        }
        for (var next = delayedLanes.peek(); next != null && next.dueAt - now <= 0; next = delayedLanes.peek()) {
            delayedLanes.remove();
            next.state = LaneState.FREE;
            freeLanes.addFirst(next);
            count(next, 1);
        }
    }

    private void open(Lane<E, R> lane, long now) {
        lane.state = LaneState.FREE;
        count(lane, 1);
        if (flushed && lane.entries.element().offeredAt - flushedAt <= 0) {
            lane.dueAt = now;
            freeLanes.addFirst(lane);
        } else {
            lane.dueAt = now + linger;
            freeLanes.addLast(lane);
        }
    }

    private void count(Pending<E, R> entry, int sign) {
        sendable += sign;
        sendableBytes += sign * entry.bytes;
    }

    private void count(Lane<E, R> lane, int sign) {
        sendable += sign * lane.entries.size();
        sendableBytes += sign * lane.bytes;
    }

    private enum LaneState {
        /** New. */
        EMPTY,
        /** May send. */
        FREE,
        /** A batch with its entries is out. */
        BUSY,
        /** Waits before it tries again. */
        DELAYED
    }

    private static final class Lane<E, R> {
        final ArrayDeque<Pending<E, R>> entries = new ArrayDeque<>();
        LaneState state = LaneState.EMPTY;
        long bytes;
        long dueAt;
    }
}
