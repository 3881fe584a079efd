/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The memory that payloads may occupy at a time, in units of a kilobyte. Threads get it in the order of their requests, so that
 * small payloads do not overtake a large one for ever.
 */
final class ByteBudget {

    private static final long UNIT = 1 << 10;

    private final int capacity;
    private final Permits permits;

    ByteBudget(long bytes) {
        this.capacity = Math.toIntExact(bytes / UNIT);
        this.permits = new Permits(capacity);
    }

    /** Takes memory, and waits for it; at most all of it, so that no request waits for ever. */
    Reservation take(long bytes) throws InterruptedException {
        int units = unitsOf(bytes);
        permits.acquire(units);
        return new Reservation(units);
    }

    /** Returns the number of bytes that are taken, rounded up for each payload. */
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

        /** Takes more at once, if a payload is larger than was claimed: whoever comes next waits the longer. */
        void add(long bytes) {
            int more = unitsOf(bytes);
            permits.reducePermits(more);
            units.addAndGet(more);
        }

        void release() {
            permits.release(units.getAndSet(0));
        }
    }

    private static final class Permits extends Semaphore {

        private static final long serialVersionUID = 1L;

        Permits(int permits) {
            super(permits, true);
        }

        @Override
        public void reducePermits(int reduction) {
            super.reducePermits(reduction);
        }
    }
}
