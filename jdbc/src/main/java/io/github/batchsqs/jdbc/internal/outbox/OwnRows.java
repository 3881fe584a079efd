/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The rows to standard queues that this instance has stored, and that it sends from memory, without a look at the table. No other instance
 * sends them while this one is alive. Safe for use by any thread.
 */
final class OwnRows {

    private static final long MAX_BYTES = 24 << 20;

    /** What a row takes beside its body and its attributes. */
    private static final long BYTES_OF_ROW = 1 << 10;

    /** The rows that are looked at for one choice. */
    private static final int MAX_CHOICE = 2_000;

    /** In order, and each with whether it is committed. Rows may be in the table before the callback of their commit runs. */
    private final ConcurrentNavigableMap<Long, Own> rows = new ConcurrentSkipListMap<>();

    private final AtomicLong bytes = new AtomicLong();
    private volatile @Nullable String owner;

    private record Own(OutboxRow row, boolean committed) {}

    /** From now on these are the rows of another owner, because the last one has been taken for dead. */
    void ownedBy(String next) {
        owner = next;
        rows.values().stream().filter(each -> !isMine(each)).forEach(each -> remove(each.row()));
    }

    private boolean isMine(Own own) {
        return Objects.equals(owner, own.row().candidate().owner());
    }

    /** Returns who owns rows that are stored now; {@code null} if any instance sends them, because too many wait here. */
    @Nullable
    String owner() {
        return bytes.get() < MAX_BYTES ? owner : null;
    }

    /** A transaction has stored a row for its owner, and has not ended yet. */
    void add(OutboxRow row) {
        rows.put(row.id(), new Own(row, false));
        long unused = bytes.addAndGet(size(row));
    }

    private static long size(OutboxRow row) {
        return BYTES_OF_ROW + row.candidate().bytes();
    }

    /** Its transaction has committed. */
    void committed(OutboxRow row) {
        rows.computeIfPresent(row.id(), (id, own) -> new Own(row, true));
    }

    /** It is not sent from memory; returns whether it was going to be. */
    boolean remove(OutboxRow row) {
        boolean removed = rows.remove(row.id()) != null;
        if (removed) {
            long unused = bytes.addAndGet(-size(row));
        }
        return removed;
    }

    /** Leaves the committed rows to a destination to the table. */
    void forget(Destination destination) {
        rows.values().stream()
                .filter(each -> each.committed() && each.row().destination().equals(destination))
                .forEach(each -> remove(each.row()));
    }

    boolean contains(long id) {
        Own own = rows.get(id);
        return own != null && isMine(own);
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    /** Removes and returns those of the committed rows that are chosen; none to the destinations to leave out. */
    List<OutboxRow> take(Collection<Destination> without, UnaryOperator<List<Candidate>> choice) {
        List<Candidate> found = rows.values().stream()
                .filter(each -> each.committed()
                        && isMine(each)
                        && !without.contains(each.row().destination()))
                .map(each -> each.row().candidate())
                .limit(MAX_CHOICE)
                .toList();
        List<OutboxRow> taken = new ArrayList<>();
        for (Candidate each : choice.apply(found)) {
            Own own = rows.get(each.id());
            if (own != null && remove(own.row())) {
                taken.add(own.row());
            }
        }
        return taken;
    }
}
