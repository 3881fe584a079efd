/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.orders;

import io.github.batchsqs.sample.settings.SampleProperties;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.springframework.stereotype.Component;

/** How long a batch of orders takes: no time, or, while slowed, longer than the messages' visibility timeout. */
@Component
public class Pace {

    private final Duration slowBatch;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition quickened = lock.newCondition();
    private boolean slow;

    Pace(SampleProperties properties) {
        this.slowBatch = properties.slowBatch();
    }

    /** Slows all batches from now on, or lets them go on, those that run included. */
    public void slow(boolean now) {
        lock.lock();
        try {
            slow = now;
            quickened.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Whether batches are slowed. */
    public boolean slow() {
        lock.lock();
        try {
            return slow;
        } finally {
            lock.unlock();
        }
    }

    /** Takes the time that a batch takes. */
    void work() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            for (long left = slowBatch.toNanos(); slow && left > 0; ) {
                left = quickened.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }
}
