/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import io.github.batchsqs.testkit.Progress;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated("computes on all carriers of virtual threads")
class EngineLockTests {

    @Test
    void aVirtualThreadThatWaitsForAnInnerLockNeedsNoOtherCarrier() {
        EngineLock lock = new EngineLock(true);
        AtomicBoolean waits = new AtomicBoolean();
        AtomicBoolean taken = new AtomicBoolean();
        AtomicBoolean ended = new AtomicBoolean();
        AtomicInteger computing = new AtomicInteger();
        lock.lock();
        try {
            Thread ignored = Thread.ofVirtual().start(() -> {
                waits.set(true);
                lock.lock();
                try {
                    taken.set(true);
                } finally {
                    lock.unlock();
                }
            });
            Progress.until(waits::get);
            int carriers = Runtime.getRuntime().availableProcessors();
            for (int i = 0; i < carriers; i++) {
                ignored = Thread.ofVirtual().start(() -> {
                    computing.incrementAndGet();
                    while (!ended.get()) {
                        Thread.onSpinWait();
                    }
                });
            }
            Progress.until(() -> computing.get() >= carriers - 1);
        } finally {
            lock.unlock();
        }
        try {
            Progress.until(taken::get);
        } finally {
            ended.set(true);
        }
    }
}
