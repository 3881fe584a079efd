/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import io.github.batchsqs.testkit.Progress;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("spins on all carriers of virtual threads")
class EngineLockTests {

    private static final int CARRIERS = Runtime.getRuntime().availableProcessors();

    private final EngineLock lock = new EngineLock(true);
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger taken = new AtomicInteger();

    @Test
    void aHolderThatWaitsForACarrierGetsThatOfAThreadThatWaitsForItsLock() {
        AtomicBoolean mayEnd = new AtomicBoolean();
        AtomicBoolean holds = new AtomicBoolean();
        Thread holder = Thread.ofVirtual().start(() -> {
            lock.lock();
            try {
                holds.set(true);
                while (!mayEnd.get()) {
                    LockSupport.park();
                }
            } finally {
                lock.unlock();
            }
        });
        Progress.until(holds::get);
        for (int i = 0; i < CARRIERS; i++) {
            take();
        }
        Progress.until(waiting::get, CARRIERS);
        mayEnd.set(true);

        LockSupport.unpark(holder);

        Progress.until(taken::get, CARRIERS);
    }

    private void take() {
        Thread ignored = Thread.ofVirtual().start(() -> {
            waiting.incrementAndGet();
            lock.lock();
            try {
                taken.incrementAndGet();
            } finally {
                lock.unlock();
            }
        });
    }
}
