/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.internal.support.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The rows that this instance is sending, and how many more, and how many bytes, each destination may have. A destination whose messages fail gets a few
 * rows at a time, after a pause, so that it takes no place from the others. Used by the thread of the relay, apart from {@link #isFailing}.
 */
final class RowsInFlight {

    private static final int MAX_ROWS = 2_000;
    private static final int MAX_TRIALS = 10;
    private static final long MAX_CLAIM_BYTES = 4 << 20;
    private static final long MAX_TRIAL_BYTES = 1 << 20;
    private static final long MAX_BYTES = 16 << 20;

    /** The pause of a destination, which is also that of a row. */
    private static final Backoff PAUSE = new Backoff(Duration.ofSeconds(1), 2, Duration.ofSeconds(10), false);

    private final TimeSource time;
    private final Set<Long> ids = new HashSet<>();
    private final Map<Destination, Load> loads = new ConcurrentHashMap<>();
    private long bytes;

    RowsInFlight(TimeSource time) {
        this.time = time;
    }

    /** @param pausedUntil counts while there are failures */
    private record Load(int rows, long bytes, int failures, long pausedUntil) {

        static final Load NONE = new Load(0, 0, 0, 0);

        Load plus(int moreRows, long moreBytes) {
            return new Load(rows + moreRows, bytes + moreBytes, failures, pausedUntil);
        }

        /** A destination may have one row of any size. */
        boolean hasRoomFor(long moreBytes) {
            return rows < (failures > 0 ? MAX_TRIALS : MAX_ROWS)
                    && (bytes == 0 || bytes + moreBytes <= (failures > 0 ? MAX_TRIAL_BYTES : MAX_CLAIM_BYTES));
        }

        boolean isPaused(long now) {
            return failures > 0 && pausedUntil - now > 0;
        }
    }

    private Load load(Destination destination) {
        return loads.getOrDefault(destination, Load.NONE);
    }

    /** Returns whether rows may be claimed at all. */
    boolean hasRoom() {
        return bytes < MAX_BYTES;
    }

    /** Returns the destinations that may have no more rows now. */
    Set<Destination> full() {
        Set<Destination> full = new HashSet<>();
        loads.forEach((destination, load) -> {
            if (!load.hasRoomFor(1) || load.isPaused(time.nanos())) {
                full.add(destination);
            }
        });
        return full;
    }

    /**
     * Chooses from rows that may be sent, in order. A row is left out if its destination has enough, and so are all behind it in
     * its message group.
     */
    List<Candidate> choose(List<Candidate> found) {
        List<Candidate> chosen = new ArrayList<>();
        Map<Destination, Load> then = new HashMap<>(loads);
        Set<String> blocked = new HashSet<>();
        long size = 0;
        for (Candidate row : found) {
            Load load = then.getOrDefault(row.destination(), Load.NONE);
            String group = row.groupKey();
            if ((group != null && blocked.contains(group)) || !load.hasRoomFor(row.bytes())) {
                if (group != null) {
                    blocked.add(group);
                }
                continue;
            }
            if (!chosen.isEmpty() && size + row.bytes() > MAX_CLAIM_BYTES) {
                break;
            }
            size += row.bytes();
            then.put(row.destination(), load.plus(1, row.bytes()));
            chosen.add(row);
        }
        return chosen;
    }

    void add(Collection<Candidate> claimed) {
        claimed.forEach(row -> change(row, ids.add(row.id()) ? 1 : 0));
    }

    /** A row has failed and stays, without its contents; returns it so. */
    Candidate pause(Candidate row) {
        Candidate rest = row.withBytes(0);
        change(row, -1);
        change(rest, 1);
        return rest;
    }

    void remove(Collection<Candidate> ended) {
        ended.forEach(row -> change(row, ids.remove(row.id()) ? -1 : 0));
    }

    private void change(Candidate row, int sign) {
        bytes += sign * row.bytes();
        put(row.destination(), load(row.destination()).plus(sign, sign * row.bytes()));
    }

    private void put(Destination destination, Load load) {
        if (load.rows() == 0 && load.failures() == 0) {
            loads.remove(destination);
        } else {
            loads.put(destination, load);
        }
    }

    int size() {
        return ids.size();
    }

    boolean contains(Candidate row) {
        return ids.contains(row.id());
    }

    /** A message of the destination was accepted, or refused for itself: its queue works. */
    void works(Destination destination) {
        Load load = load(destination);
        put(destination, new Load(load.rows(), load.bytes(), 0, 0));
    }

    /** A message of the destination failed in a way that may pass. Failures of one moment count once. */
    void fails(Destination destination) {
        Load load = load(destination);
        if (!load.isPaused(time.nanos())) {
            int failures = load.failures() + 1;
            put(destination, new Load(load.rows(), load.bytes(), failures, time.nanos() + pause(failures)));
        }
    }

    /** Returns whether the messages of the destination fail now. */
    boolean isFailing(Destination destination) {
        return load(destination).failures() > 0;
    }

    /** Returns how many nanoseconds to wait after so many failures. */
    static long pause(int failures) {
        return PAUSE.delay(failures, new SplittableRandom(0)).toNanos();
    }
}
