/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The rows to standard queues that this instance has stored, and that it sends from memory, without a look at the table. No other instance
 * sends them while this one is alive. Safe for use by any thread.
 */
final class OwnRows {

    private static final int MAX_ROWS = 10_000;
    private static final long MAX_BYTES = 16 << 20;

    /** The rows that are looked at for one choice. */
    private static final int MAX_CHOICE = 2_000;

    private final ReentrantLock lock = new ReentrantLock();

    /** Of transactions that have not ended yet. Their rows may be in the table before the callback of the commit runs. */
    private final Map<Long, OutboxRow> open = new HashMap<>();

    private final Map<Long, OutboxRow> committed = new LinkedHashMap<>();
    private @Nullable String owner;
    private long bytes;

    /** From now on these are the rows of another owner, because the last one has been taken for dead. */
    void ownedBy(String next) {
        lock.lock();
        try {
            if (!next.equals(owner)) {
                owner = next;
                open.clear();
                committed.clear();
                bytes = 0;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns who owns rows that are stored now; {@code null} if any instance sends them, because too many wait here. */
    @Nullable
    String owner() {
        lock.lock();
        try {
            return bytes < MAX_BYTES && open.size() + committed.size() < MAX_ROWS ? owner : null;
        } finally {
            lock.unlock();
        }
    }

    /** A transaction has stored rows for an owner, and has not ended yet. */
    void add(String storedFor, List<OutboxRow> rows) {
        lock.lock();
        try {
            if (storedFor.equals(owner)) {
                for (OutboxRow row : rows) {
                    open.put(row.id(), row);
                    bytes += row.candidate().bytes();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Its transaction has ended. */
    void ended(List<OutboxRow> rows, boolean commits) {
        lock.lock();
        try {
            for (OutboxRow row : rows) {
                boolean kept = open.remove(row.id()) != null;
                if (kept && commits) {
                    committed.put(row.id(), row);
                } else if (kept) {
                    bytes -= row.candidate().bytes();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Leaves the committed rows to a destination to the table. Returns whether there were some. */
    boolean forget(Destination destination) {
        lock.lock();
        try {
            long before = bytes;
            committed.values().removeIf(row -> {
                boolean forgets = row.destination().equals(destination);
                bytes -= forgets ? row.candidate().bytes() : 0;
                return forgets;
            });
            return bytes < before;
        } finally {
            lock.unlock();
        }
    }

    boolean contains(long id) {
        lock.lock();
        try {
            return open.containsKey(id) || committed.containsKey(id);
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether committed rows wait here to be sent. */
    boolean anyCommitted() {
        lock.lock();
        try {
            return !committed.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Removes and returns those of the committed rows that are chosen; none to the destinations to leave out. */
    List<OutboxRow> take(Collection<Destination> without, UnaryOperator<List<Candidate>> choice) {
        lock.lock();
        try {
            List<Candidate> found = committed.values().stream()
                    .map(OutboxRow::candidate)
                    .filter(each -> !without.contains(each.destination()))
                    .limit(MAX_CHOICE)
                    .toList();
            List<OutboxRow> taken = new ArrayList<>();
            for (Candidate each : choice.apply(found)) {
                OutboxRow row = committed.remove(each.id());
                if (row != null) {
                    bytes -= each.bytes();
                    taken.add(row);
                }
            }
            return taken;
        } finally {
            lock.unlock();
        }
    }
}
