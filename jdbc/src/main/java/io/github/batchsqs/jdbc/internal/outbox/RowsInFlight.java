/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.internal.support.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The rows that this instance is sending, and how many more, and how many bytes, each destination may have. A destination whose messages fail gets a few
 * rows at a time, after a pause, so that it takes no place from the others. Safe for use by any thread.
 */
final class RowsInFlight {

    static final int MAX_ROWS = 2_000;
    static final int MAX_TRIALS = 10;
    static final long MAX_CLAIM_BYTES = 4 << 20;
    static final long MAX_TRIAL_BYTES = 1 << 20;
    static final long MAX_BYTES = 16 << 20;

    /** The pause of a destination, which is also that of a row. */
    static final Backoff PAUSE = new Backoff(Duration.ofSeconds(1), 2, Duration.ofSeconds(10), false);

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Long, Candidate> rows = new LinkedHashMap<>();
    private final Map<Destination, Load> loads = new HashMap<>();
    private long bytes;

    private static final class Load {
        int rows;
        long bytes;
        int failures;
        /** Counts while there are failures. */
        long pausedUntil;

        int limit() {
            return failures > 0 ? MAX_TRIALS : MAX_ROWS;
        }

        long byteLimit() {
            return failures > 0 ? MAX_TRIAL_BYTES : MAX_CLAIM_BYTES;
        }

        boolean isPaused(long now) {
            return failures > 0 && pausedUntil - now > 0;
        }

        boolean isFull(long now) {
            return rows >= limit() || bytes >= byteLimit() || isPaused(now);
        }
    }

    /** Returns milliseconds of a clock that is never set; for what stays in this instance. */
    static long millis(TimeSource time) {
        return Math.floorDiv(time.nanos(), 1_000_000);
    }

    /** Returns whether rows may be claimed at all. */
    boolean hasRoom() {
        lock.lock();
        try {
            return bytes < MAX_BYTES;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns the destinations that may have no more rows now.
     *
     * @param now milliseconds of a clock that is never set
     */
    Set<Destination> full(long now) {
        lock.lock();
        try {
            Set<Destination> full = new HashSet<>();
            loads.forEach((destination, load) -> {
                if (load.isFull(now)) {
                    full.add(destination);
                }
            });
            return full;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Chooses from rows that may be sent, in order. A row is left out if its destination has enough, and so are all behind it in
     * its message group. A destination may have one row of any size.
     */
    List<Candidate> choose(List<Candidate> found) {
        lock.lock();
        try {
            List<Candidate> chosen = new ArrayList<>();
            Map<Destination, Load> more = new HashMap<>();
            Set<String> blocked = new HashSet<>();
            long size = 0;
            for (Candidate row : found) {
                Load load = more.computeIfAbsent(row.destination(), this::copy);
                String group = row.groupKey();
                if (group != null && blocked.contains(group)) {
                    continue;
                }
                boolean enough =
                        load.rows >= load.limit() || (load.rows > 0 && load.bytes + row.bytes() > load.byteLimit());
                if (enough || rows.containsKey(row.id())) { // the lease of a row in flight has ended
                    if (group != null) {
                        blocked.add(group);
                    }
                    continue;
                }
                if (!chosen.isEmpty() && size + row.bytes() > MAX_CLAIM_BYTES) {
                    break;
                }
                size += row.bytes();
                load.rows++;
                load.bytes += row.bytes();
                chosen.add(row);
            }
            return chosen;
        } finally {
            lock.unlock();
        }
    }

    void add(Collection<Candidate> claimed) {
        lock.lock();
        try {
            for (Candidate row : claimed) {
                rows.put(row.id(), row);
                bytes += row.bytes();
                Load load = load(row.destination());
                load.rows++;
                load.bytes += row.bytes();
            }
        } finally {
            lock.unlock();
        }
    }

    void remove(Collection<Long> ids) {
        lock.lock();
        try {
            for (Long id : ids) {
                Candidate row = rows.remove(id);
                if (row != null) {
                    bytes -= row.bytes();
                    Load load = load(row.destination());
                    load.rows--;
                    load.bytes -= row.bytes();
                    if (load.rows == 0 && load.failures == 0) {
                        loads.remove(row.destination());
                    }
                }
            }
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return rows.size();
        } finally {
            lock.unlock();
        }
    }

    boolean contains(Candidate row) {
        lock.lock();
        try {
            return rows.containsKey(row.id());
        } finally {
            lock.unlock();
        }
    }

    /** A message of the destination was accepted, or refused for itself: its queue works. */
    void works(Destination destination) {
        lock.lock();
        try {
            Load load = loads.get(destination);
            if (load != null) {
                load.failures = 0;
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * A message of the destination failed in a way that may pass. Failures of one moment count once.
     *
     * @param now milliseconds of a clock that is never set
     */
    void fails(Destination destination, long now) {
        lock.lock();
        try {
            Load load = load(destination);
            if (!load.isPaused(now)) {
                load.failures++;
                load.pausedUntil = now + pause(load.failures);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many milliseconds to wait after so many failures. */
    static long pause(int failures) {
        return PAUSE.delay(failures, new SplittableRandom(0)).toMillis();
    }

    private Load copy(Destination destination) {
        var copy = new Load();
        Load load = loads.get(destination);
        if (load != null) {
            copy.rows = load.rows;
            copy.bytes = load.bytes;
            copy.failures = load.failures;
        }
        return copy;
    }

    private Load load(Destination destination) {
        return loads.computeIfAbsent(destination, key -> new Load());
    }
}
