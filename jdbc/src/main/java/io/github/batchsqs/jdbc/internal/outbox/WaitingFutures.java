/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import io.github.batchsqs.internal.send.KeptFuture;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The futures of messages that this instance stored, by the key of the row. From the commit on, each waits for a limited time, and there is
 * a maximum of them, so that an outage does not fill the memory. Before the commit, only the end of its transaction removes a future: the
 * message is not in the outbox yet. Safe for use by any thread; completes none.
 */
final class WaitingFutures {

    static final int MAX = 100_000;

    private final ReentrantLock lock = new ReentrantLock();
    /** Of transactions that have not committed yet. The relay may find their rows before the callback of the commit runs. */
    private final Map<String, KeptFuture> uncommitted = new HashMap<>();

    /** In the order of their deadlines. */
    private final Map<String, Waiting> byKey = new LinkedHashMap<>();

    private record Waiting(KeptFuture future, long deadline) {}

    /** Adds futures of a transaction that is going to commit. */
    void add(List<String> keys, List<KeptFuture> futures) {
        lock.lock();
        try {
            for (int i = 0; i < keys.size(); i++) {
                uncommitted.put(keys.get(i), futures.get(i));
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * The transaction of futures has committed; those that still wait have a deadline from now on.
     *
     * @param deadline when they have waited for long enough, in the nanoseconds of the time source
     * @return the oldest ones, which make room and do not wait any longer
     */
    List<KeptFuture> committed(List<String> keys, long deadline) {
        lock.lock();
        try {
            for (String key : keys) {
                KeptFuture future = uncommitted.remove(key);
                if (future != null) {
                    byKey.put(key, new Waiting(future, deadline));
                }
            }
            List<KeptFuture> removed = new ArrayList<>(0);
            Iterator<Waiting> oldest = byKey.values().iterator();
            while (byKey.size() > MAX) {
                removed.add(oldest.next().future());
                oldest.remove();
            }
            return removed;
        } finally {
            lock.unlock();
        }
    }

    /** Removes and returns a future; {@code null} if it does not wait here. */
    @Nullable
    KeptFuture remove(String key) {
        lock.lock();
        try {
            Waiting waiting = byKey.remove(key);
            return waiting == null ? uncommitted.remove(key) : waiting.future();
        } finally {
            lock.unlock();
        }
    }

    /** Removes and returns the futures that have waited for long enough. */
    List<KeptFuture> removeExpired(long now) {
        lock.lock();
        try {
            List<KeptFuture> expired = new ArrayList<>(0);
            Iterator<Waiting> all = byKey.values().iterator();
            while (all.hasNext()) {
                Waiting next = all.next();
                if (next.deadline() - now > 0) {
                    break;
                }
                expired.add(next.future());
                all.remove();
            }
            return expired;
        } finally {
            lock.unlock();
        }
    }

    /** Removes and returns all futures of committed transactions. */
    List<KeptFuture> removeAll() {
        lock.lock();
        try {
            List<KeptFuture> all = byKey.values().stream().map(Waiting::future).toList();
            byKey.clear();
            return all;
        } finally {
            lock.unlock();
        }
    }

    int size() {
        lock.lock();
        try {
            return uncommitted.size() + byKey.size();
        } finally {
            lock.unlock();
        }
    }
}
