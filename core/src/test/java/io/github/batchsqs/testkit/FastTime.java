/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import io.github.batchsqs.internal.support.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The time of this machine, so many times as fast.
 *
 * @param times how many times
 */
public record FastTime(int times) implements TimeSource {

    @Override
    public long nanos() {
        return System.nanoTime() * times;
    }

    @Override
    public Instant now() {
        return Instant.EPOCH.plusNanos(nanos());
    }

    @Override
    @SuppressWarnings("WaitNotInLoop") // the loops are the callers'
    public Condition condition(ReentrantLock lock) {
        Condition condition = lock.newCondition();
        return new Condition() {
            @Override
            public void await() throws InterruptedException {
                condition.await();
            }

            @Override
            public void awaitUninterruptibly() {
                condition.awaitUninterruptibly();
            }

            @Override
            public long awaitNanos(long nanos) throws InterruptedException {
                return condition.awaitNanos(Math.ceilDiv(nanos, times)) * times;
            }

            @Override
            public boolean await(long time, TimeUnit unit) throws InterruptedException {
                return awaitNanos(unit.toNanos(time)) > 0;
            }

            @Override
            public boolean awaitUntil(Date deadline) throws InterruptedException {
                return awaitNanos(Duration.between(now(), deadline.toInstant()).toNanos()) > 0;
            }

            @Override
            public void signal() {
                condition.signal();
            }

            @Override
            public void signalAll() {
                condition.signalAll();
            }
        };
    }
}
