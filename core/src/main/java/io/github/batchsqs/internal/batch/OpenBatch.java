/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.batch;

import io.github.batchsqs.internal.support.Alarm;
import io.github.batchsqs.internal.support.SqsLimits;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The entries that wait for a call, and the decision when a batch of them is due.
 *
 * <p>Pure: no thread, no lock, no clock of its own. A batch is due when it is full, when the oldest sendable entry has waited for the
 * linger, or after a {@link #flush}.
 *
 * <p>Entries with equal ordering keys form a {@link Sequence} and keep their order: while a batch carries entries of a
 * sequence, no other batch does, and an entry that is tried again returns to the head of its sequence. A batch may carry
 * several sequences. The linger of a sequence starts when it becomes free, so that sequences that become free together fill
 * a batch together. Between sequences there is no order.
 *
 * <p>An entry with {@link Pending#alone} set shares its call with no other.
 */
final class OpenBatch<E, R> {

    private final long linger;

    private final ArrayDeque<Pending<E, R>> free = new ArrayDeque<>();
    private final Map<Object, Sequence<E, R>> byKey = new HashMap<>();
    private final ArrayDeque<Sequence<E, R>> freeSequences = new ArrayDeque<>();

    /** What waits before it is tried again: sequences, and the entries without an ordering key of each call. */
    private final PriorityQueue<Sequence<E, R>> delayed = new PriorityQueue<>(Comparator.comparingLong(s -> s.dueAt));

    private int sendable;
    private long sendableBytes;

    OpenBatch(Duration linger) {
        this.linger = linger.toNanos();
    }

    /** Adds a new entry. */
    void offer(Pending<E, R> entry, long now) {
        entry.dueAt = now + linger;
        if (entry.orderingKey == null) {
            free.addLast(entry);
            count(entry, 1);
            return;
        }
        Sequence<E, R> sequence = byKey.computeIfAbsent(entry.orderingKey, key -> new Sequence<>());
        sequence.entries.addLast(entry);
        sequence.bytes += entry.bytes;
        if (sequence.state == SequenceState.FREE) {
            count(entry, 1);
        } else if (sequence.state == SequenceState.EMPTY) {
            open(sequence, now);
        }
    }

    /** Removes and returns the batch that is due, or {@code null}. Its sequences are busy until {@link #ended}. */
    @Nullable
    List<Pending<E, R>> poll(long now) {
        promote(now);
        if (sendable == 0 || !(full() || nextDue() - now <= 0)) {
            return null;
        }
        return take();
    }

    /** Returns the time until {@link #poll} may return a batch; {@link Alarm#NEVER} if no entry waits for that. */
    long nanosUntilDue(long now) {
        long wait = Alarm.NEVER;
        if (sendable > 0) {
            wait = full() ? 0 : nextDue() - now;
        }
        if (!delayed.isEmpty()) {
            wait = Math.min(wait, delayed.element().dueAt - now);
        }
        return Math.max(0, wait);
    }

    /**
     * Frees the sequences of a batch after its call has ended.
     *
     * @param again the entries of the batch that are tried again, in order
     * @param notBefore the earliest time of the next try; the whole sequence of such an entry waits for it
     */
    void ended(List<Pending<E, R>> batch, List<Pending<E, R>> again, long notBefore, long now) {
        Sequence<E, R> withoutKey = new Sequence<>();
        for (Pending<E, R> entry : again.reversed()) {
            Sequence<E, R> sequence =
                    entry.orderingKey == null ? withoutKey : Objects.requireNonNull(byKey.get(entry.orderingKey));
            entry.dueAt = notBefore;
            sequence.entries.addFirst(entry);
            sequence.bytes += entry.bytes;
            if (sequence.state != SequenceState.DELAYED) {
                sequence.state = SequenceState.DELAYED;
                sequence.dueAt = notBefore;
                delayed.add(sequence);
            }
        }
        for (Pending<E, R> entry : batch) {
            Sequence<E, R> sequence = byKey.get(entry.orderingKey);
            if (sequence == null || sequence.state != SequenceState.BUSY) {
                continue;
            }
            if (sequence.entries.isEmpty()) {
                byKey.remove(entry.orderingKey);
            } else {
                open(sequence, now);
            }
        }
    }

    /** Makes all waiting entries due; those of busy sequences, whose barrier is closed, as soon as these are free. */
    void flush(long now) {
        free.forEach(entry -> entry.dueAt = now);
        freeSequences.forEach(sequence -> sequence.dueAt = now);
    }

    /** Removes and returns the waiting entries for which the predicate holds; the order of the others stays. */
    List<Pending<E, R>> removeIf(Predicate<Pending<E, R>> predicate) {
        List<Pending<E, R>> removed = new ArrayList<>();
        free.removeIf(entry -> predicate.test(entry) && removed.add(entry));
        removed.forEach(entry -> count(entry, -1));
        delayed.forEach(each -> collect(each, predicate, removed));
        for (Iterator<Map.Entry<Object, Sequence<E, R>>> all = byKey.entrySet().iterator(); all.hasNext(); ) {
            Sequence<E, R> sequence = all.next().getValue();
            int from = removed.size();
            collect(sequence, predicate, removed);
            if (sequence.state == SequenceState.FREE) {
                removed.subList(from, removed.size()).forEach(entry -> count(entry, -1));
            }
            if (sequence.entries.isEmpty() && sequence.state != SequenceState.BUSY) {
                all.remove();
            }
        }
        freeSequences.removeIf(sequence -> sequence.entries.isEmpty());
        delayed.removeIf(sequence -> sequence.entries.isEmpty());
        return removed;
    }

    private void collect(Sequence<E, R> from, Predicate<Pending<E, R>> predicate, List<Pending<E, R>> into) {
        from.entries.removeIf(entry -> {
            boolean removed = predicate.test(entry) && into.add(entry);
            from.bytes -= removed ? entry.bytes : 0;
            return removed;
        });
    }

    private boolean full() {
        return sendable >= SqsLimits.MAX_PER_CALL || sendableBytes >= SqsLimits.MAX_BYTES;
    }

    private long nextDue() {
        if (free.isEmpty()) {
            return freeSequences.element().dueAt;
        }
        long due = free.element().dueAt;
        return freeSequences.isEmpty() || due - freeSequences.element().dueAt < 0 ? due : freeSequences.element().dueAt;
    }

    private List<Pending<E, R>> take() {
        List<Pending<E, R>> batch = new ArrayList<>(Math.min(sendable, SqsLimits.MAX_PER_CALL));
        long room = fill(batch, free, SqsLimits.MAX_BYTES);
        for (Iterator<Sequence<E, R>> open = freeSequences.iterator();
                open.hasNext() && batch.size() < SqsLimits.MAX_PER_CALL; ) {
            Sequence<E, R> sequence = open.next();
            long left = fill(batch, sequence.entries, room);
            if (left != room) {
                open.remove();
                sequence.state = SequenceState.BUSY;
                sequence.bytes -= room - left;
                count(sequence, -1);
                room = left;
            }
        }
        return batch;
    }

    /** Moves entries from the head of a queue while they fit; an entry always fits into an empty batch. */
    private long fill(List<Pending<E, R>> batch, ArrayDeque<Pending<E, R>> queue, long room) {
        long left = room;
        while (batch.size() < SqsLimits.MAX_PER_CALL) {
            Pending<E, R> next = queue.peekFirst();
            if (next == null || (!batch.isEmpty() && (next.bytes > left || next.alone || batch.getFirst().alone))) {
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
            delayed.remove();
            count(next, 1);
            Pending<E, R> first = next.entries.element();
            if (first.orderingKey == null) {
                next.entries.reversed().forEach(free::addFirst);
            } else {
                next.state = SequenceState.FREE;
                freeSequences.addFirst(next);
            }
        }
    }

    private void open(Sequence<E, R> sequence, long now) {
        sequence.state = SequenceState.FREE;
        count(sequence, 1);
        if (sequence.entries.element().barrier.closed()) { // a flush came after it
            sequence.dueAt = now;
            freeSequences.addFirst(sequence);
        } else {
            sequence.dueAt = now + linger;
            freeSequences.addLast(sequence);
        }
    }

    private void count(Pending<E, R> entry, int sign) {
        sendable += sign;
        sendableBytes += sign * entry.bytes;
    }

    private void count(Sequence<E, R> sequence, int sign) {
        sendable += sign * sequence.entries.size();
        sendableBytes += sign * sequence.bytes;
    }

    private enum SequenceState {
        /** New. */
        EMPTY,
        /** May send. */
        FREE,
        /** A call carries its entries. */
        BUSY,
        /** Waits before it tries again. */
        DELAYED
    }

    /** The waiting entries with one ordering key, or those of one call without one. */
    private static final class Sequence<E, R> {
        final ArrayDeque<Pending<E, R>> entries = new ArrayDeque<>();
        SequenceState state = SequenceState.EMPTY;
        long bytes;
        long dueAt;
    }
}
