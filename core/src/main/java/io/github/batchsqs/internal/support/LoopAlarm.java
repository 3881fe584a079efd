/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** The alarm of a loop that takes the looks on a thread of its own. */
public final class LoopAlarm implements Alarm {

    private final TimeSource time;
    private final ReentrantLock lock = new EngineLock(true);
    private final Condition rung;
    private long at = NEVER;

    public LoopAlarm(TimeSource time) {
        this.time = time;
        this.rung = time.condition(lock);
    }

    @Override
    public void ringAt(long nanos) {
        lock.lock();
        try {
            if (at == NEVER || nanos - at < 0) {
                at = nanos;
                rung.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the next look, which the loop takes then. */
    public void await() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (at == NEVER || at - time.nanos() > 0) {
                if (at == NEVER) {
                    rung.await();
                } else {
                    long ignored = rung.awaitNanos(at - time.nanos());
                }
            }
            at = NEVER;
        } finally {
            lock.unlock();
        }
    }
}
