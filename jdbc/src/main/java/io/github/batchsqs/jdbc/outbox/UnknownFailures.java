/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.outbox;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How often calls with a row have failed for an unknown reason in this instance, for a limited number of rows. Safe for use by any
 * thread.
 */
final class UnknownFailures {

    /** Rows beyond this number make room for others, and are counted anew. */
    static final int MAX_ROWS = 10_000;

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Long, Integer> byId = new LinkedHashMap<>();

    /** Counts a failure; returns how many the row has had. */
    int add(long id) {
        lock.lock();
        try {
            int failures = byId.merge(id, 1, Integer::sum);
            Iterator<Long> oldest = byId.keySet().iterator();
            while (byId.size() > MAX_ROWS) {
                oldest.next();
                oldest.remove();
            }
            return failures;
        } finally {
            lock.unlock();
        }
    }

    /** The row is not sent again. */
    void remove(long id) {
        lock.lock();
        try {
            byId.remove(id);
        } finally {
            lock.unlock();
        }
    }
}
