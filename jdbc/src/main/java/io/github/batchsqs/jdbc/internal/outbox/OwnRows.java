/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import io.github.batchsqs.internal.send.KeptFuture;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What this instance has stored: the futures of all messages, and the rows to standard queues, which it sends from memory, without a look
 * at the table. No other instance sends these while this one is alive. Safe for use by any thread, but the
 * rows are sent and removed by the thread of the relay alone. Completes no future.
 *
 * <p>From the commit on, each future waits for a limited time, and there is a maximum of them, so that an outage does not fill the memory.
 * Before the commit, only the end of its transaction removes a future: the message is not in the outbox yet.
 */
final class OwnRows {

    static final int MAX_FUTURES = 100_000;

    private static final long MAX_BYTES = 24 << 20;

    /** What a row takes beside its body and its attributes. */
    private static final long BYTES_OF_ROW = 1 << 10;

    /** The rows that are looked at for one choice. */
    private static final int MAX_CHOICE = 2_000;

    private final Map<Long, Waiting> futures = new ConcurrentHashMap<>();

    /** What is committed and not sent yet, in order. */
    private final ConcurrentNavigableMap<Long, OutboxRow> rows = new ConcurrentSkipListMap<>();

    private final AtomicLong bytes = new AtomicLong();
    private volatile @Nullable String owner;

    /** @param deadline {@code null} before the commit; the relay may find the row before the callback of the commit runs */
    private record Waiting(KeptFuture future, @Nullable Long deadline) {}

    /** From now on these are the rows of another owner, because the last one has been taken for dead. */
    void ownedBy(String next) {
        owner = next;
        remove(row -> !isMine(row.candidate()));
    }

    private void remove(Predicate<OutboxRow> which) {
        rows.values().removeIf(row -> {
            boolean removed = which.test(row);
            if (removed) {
                long unused = bytes.addAndGet(-size(row));
            }
            return removed;
        });
    }

    private boolean isMine(Candidate row) {
        String of = row.owner();
        return of != null && of.equals(owner);
    }

    /** Returns who owns rows that are stored now; {@code null} if any instance sends them, because too many wait here. */
    @Nullable
    String owner() {
        return bytes.get() < MAX_BYTES ? owner : null;
    }

    /** A transaction has stored a row, and is going to commit. */
    void add(OutboxRow row, KeptFuture future) {
        futures.put(row.id(), new Waiting(future, null));
    }

    /**
     * The transaction of rows has committed. They are sent from memory if they have its owner; their futures have a deadline from now on,
     * if they still wait.
     *
     * @param deadline when they have waited for long enough, in the nanoseconds of the time source
     * @param failing as in {@link #leave}
     * @return the futures for which there is no room, and that do not wait any longer
     */
    List<KeptFuture> committed(List<OutboxRow> committed, long deadline, Predicate<Destination> failing) {
        List<OutboxRow> beyond = new ArrayList<>(0);
        for (OutboxRow row : committed) {
            if (isMine(row.candidate()) && !failing.test(row.destination())) {
                rows.put(row.id(), row);
                long unused = bytes.addAndGet(size(row));
            }
            if (futures.size() - beyond.size() > MAX_FUTURES) {
                beyond.add(row);
            } else {
                futures.computeIfPresent(row.id(), (id, waiting) -> new Waiting(waiting.future(), deadline));
            }
        }
        return futures(beyond);
    }

    private static long size(OutboxRow row) {
        return BYTES_OF_ROW + row.candidate().bytes();
    }

    /** Removes and returns a future; {@code null} if it does not wait here. */
    @Nullable
    KeptFuture future(long id) {
        Waiting waiting = futures.remove(id);
        return waiting == null ? null : waiting.future();
    }

    /** Removes and returns those of the futures of rows that wait here. */
    List<KeptFuture> futures(List<OutboxRow> some) {
        return some.stream()
                .map(row -> future(row.id()))
                .filter(Objects::nonNull)
                .toList();
    }

    /** Removes and returns the futures of committed transactions with such a deadline. */
    List<KeptFuture> futuresIf(LongPredicate deadline) {
        List<KeptFuture> removed = new ArrayList<>(0);
        futures.forEach((id, waiting) -> {
            Long until = waiting.deadline();
            if (until != null && deadline.test(until) && futures.remove(id, waiting)) {
                removed.add(waiting.future());
            }
        });
        return removed;
    }

    /** Leaves the rows to destinations whose messages fail now to the table, so that an operator can park and delete them. */
    void leave(Predicate<Destination> failing) {
        remove(row -> failing.test(row.destination()));
    }

    /** Returns the lowest id of rows whose transactions have not ended; the highest number if there are none. */
    long open() {
        return futures.entrySet().stream()
                .filter(each -> each.getValue().deadline() == null)
                .mapToLong(Map.Entry::getKey)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /** Returns whether a row is going to be sent from memory. */
    boolean contains(Candidate row) {
        Waiting waiting = futures.get(row.id()); // before the other look: a commit puts the row there first
        return (waiting != null && waiting.deadline() == null && isMine(row)) || rows.containsKey(row.id());
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    /** Removes and returns those of the rows that are chosen; none to the destinations to leave out. */
    List<OutboxRow> take(Collection<Destination> without, UnaryOperator<List<Candidate>> choice) {
        List<Candidate> found = rows.values().stream()
                .map(OutboxRow::candidate)
                .filter(each -> isMine(each) && !without.contains(each.destination()))
                .limit(MAX_CHOICE)
                .toList();
        List<OutboxRow> taken = new ArrayList<>();
        for (Candidate each : choice.apply(found)) {
            OutboxRow row = Objects.requireNonNull(rows.remove(each.id()));
            long unused = bytes.addAndGet(-size(row));
            taken.add(row);
        }
        return taken;
    }
}
