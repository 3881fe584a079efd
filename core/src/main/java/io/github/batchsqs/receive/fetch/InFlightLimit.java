/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.fetch;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The permits: one for each message that is held here or asked for. Back-pressure is that pollers find none.
 *
 * <p>A poller asks for as many as a receive can bring. If fewer are free it waits a little for the rest, because a receive
 * of ten costs what a receive of one costs, and then takes what there is, so that messages that are stuck do not keep the
 * others out. Permits that come back wake one poller, which wakes the next if it leaves some. The limit may be changed at
 * any time; lowered, it is reached as permits come back. Safe for use by any thread.
 */
public final class InFlightLimit {

    private static final long PATIENCE_NANOS = Duration.ofMillis(100).toNanos();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition freed = lock.newCondition();
    private final Condition unused = lock.newCondition();
    private int limit;
    private int used;

    public InFlightLimit(int limit) {
        this.limit = limit;
    }

    /**
     * Takes up to {@code wanted} permits, at least one; waits until there is one.
     *
     * @return how many were taken
     */
    public int acquire(int wanted) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            await(wanted);
            int taken = take(wanted);
            if (free() > 0) {
                freed.signal();
            }
            return taken;
        } finally {
            lock.unlock();
        }
    }

    private void await(int wanted) throws InterruptedException {
        long patience = PATIENCE_NANOS;
        while (free() < Math.min(wanted, limit)) {
            if (free() < 1) {
                freed.await();
            } else if (patience > 0) {
                patience = freed.awaitNanos(patience);
            } else {
                break;
            }
        }
    }

    /** Takes up to {@code wanted} permits without waiting; perhaps none. */
    public int tryAcquire(int wanted) {
        lock.lock();
        try {
            return take(wanted);
        } finally {
            lock.unlock();
        }
    }

    /** Gives permits back. */
    public void release(int permits) {
        if (permits == 0) {
            return;
        }
        lock.lock();
        try {
            if (permits > used) {
                throw new IllegalStateException(permits + " permits given back, but only " + used + " were taken");
            }
            used -= permits;
            freed.signal();
            if (used == 0) {
                unused.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** A receive that took permits for {@code asked} messages is over, and {@code kept} of its messages are held. */
    void settleReceive(int asked, int kept) {
        if (asked > kept) {
            release(asked - kept);
        } else if (kept > asked) {
            lock.lock();
            try {
                used += kept - asked;
            } finally {
                lock.unlock();
            }
        }
    }

    /** Changes the limit. */
    public void setLimit(int newLimit) {
        lock.lock();
        try {
            if (newLimit != limit) {
                limit = newLimit;
                freed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** How many permits are taken: messages held, and messages asked for. */
    public int used() {
        lock.lock();
        try {
            return used;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until no permit is taken, at most so long. Returns how many still are. */
    public int awaitUnused(long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (used > 0 && left > 0) {
                left = unused.awaitNanos(left);
            }
            return used;
        } finally {
            lock.unlock();
        }
    }

    /** The limit in force. */
    public int limit() {
        lock.lock();
        try {
            return limit;
        } finally {
            lock.unlock();
        }
    }

    /** How many permits are free. */
    public int available() {
        lock.lock();
        try {
            return free();
        } finally {
            lock.unlock();
        }
    }

    private int take(int wanted) {
        int taken = Math.max(0, Math.min(wanted, free()));
        used += taken;
        return taken;
    }

    private int free() {
        return limit - used;
    }
}
