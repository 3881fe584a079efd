/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.outbox;

import io.github.batchsqs.send.KeptFuture;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The futures of messages that this instance stored, by the key of the row. Each waits for a limited time, and there is a maximum of
 * them, so that an outage does not fill the memory. Safe for use by any thread; completes none.
 */
final class WaitingFutures {

    static final int MAX = 100_000;

    private final ReentrantLock lock = new ReentrantLock();
    /** In the order of their deadlines. */
    private final Map<String, Waiting> byKey = new LinkedHashMap<>();

    private record Waiting(KeptFuture future, long deadline) {}

    /**
     * Adds futures.
     *
     * @param deadline when they have waited for long enough, in the nanoseconds of the time source
     * @return the oldest ones, which make room and do not wait any longer
     */
    List<KeptFuture> add(List<String> keys, List<KeptFuture> futures, long deadline) {
        lock.lock();
        try {
            for (int i = 0; i < keys.size(); i++) {
                byKey.put(keys.get(i), new Waiting(futures.get(i), deadline));
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
            return waiting == null ? null : waiting.future();
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

    /** Removes and returns all futures. */
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
            return byKey.size();
        } finally {
            lock.unlock();
        }
    }
}
