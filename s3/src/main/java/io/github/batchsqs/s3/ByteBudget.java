/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The memory that payloads may occupy at a time, in units of a kilobyte. Threads get it in the order of their requests, so that
 * small payloads do not overtake a large one for ever. It never gives more than it has.
 */
final class ByteBudget {

    private static final long UNIT = 1 << 10;

    private final int capacity;
    private final Semaphore permits;

    ByteBudget(long bytes) {
        this.capacity = Math.toIntExact(bytes / UNIT);
        this.permits = new Semaphore(capacity, true);
    }

    /** Takes memory, and waits for it; at most all of it, so that no request waits for ever. */
    Reservation take(long bytes) throws InterruptedException {
        int units = unitsOf(bytes);
        permits.acquire(units);
        return new Reservation(units);
    }

    /** Returns the number of bytes that are taken, rounded up for each request. */
    long taken() {
        return (capacity - permits.availablePermits()) * UNIT;
    }

    private int unitsOf(long bytes) {
        return (int) Math.min(capacity, (bytes + UNIT - 1) / UNIT);
    }

    /** Memory that is taken until it is released. */
    final class Reservation {

        private final AtomicInteger units;

        private Reservation(int units) {
            this.units = new AtomicInteger(units);
        }

        void release() {
            permits.release(units.getAndSet(0));
        }
    }
}
