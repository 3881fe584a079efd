/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import io.github.batchsqs.internal.support.EngineLock;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Knows for how long no payload of a listener's messages could be fetched from where it is stored outside of SQS. Safe for use by any
 * thread. {@link #succeeded} costs one volatile read while nothing fails.
 */
final class FetchOutage {

    /** A last failure that is older than a lease and this duration does not show the present state. */
    private static final long STALE_NANOS = Duration.ofMinutes(1).toNanos();

    private final TimeSource time;
    private final ReentrantLock lock = new EngineLock();
    private volatile boolean failing;
    private long failingSince;
    private long failedAt;

    FetchOutage(TimeSource time) {
        this.time = time;
    }

    /** A payload was fetched. */
    void succeeded() {
        if (failing) {
            lock.lock();
            try {
                failing = false;
            } finally {
                lock.unlock();
            }
        }
    }

    /** A payload could not be fetched, which may pass. */
    void failed() {
        lock.lock();
        try {
            failedAt = time.nanos();
            if (!failing) {
                failing = true;
                failingSince = failedAt;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns for how long no payload could be fetched although it was tried; zero if the last one was fetched. */
    Duration failingFor(Duration lease) {
        lock.lock();
        try {
            long now = time.nanos();
            return failing && now - failedAt <= lease.toNanos() + STALE_NANOS
                    ? Duration.ofNanos(now - failingSince)
                    : Duration.ZERO;
        } finally {
            lock.unlock();
        }
    }
}
