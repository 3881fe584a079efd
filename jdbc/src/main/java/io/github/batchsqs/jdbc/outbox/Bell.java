/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.outbox;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Wakes the relay. A ring while it does not sleep ends its next sleep. */
final class Bell {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean rung;

    void ring() {
        lock.lock();
        try {
            rung = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a ring, or for the time; returns whether it rang. */
    boolean await(long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (!rung && left > 0) {
                left = changed.awaitNanos(left);
            }
            boolean woken = rung;
            rung = false;
            return woken;
        } finally {
            lock.unlock();
        }
    }
}
