/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.delivery;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The permits: one for each message that is in flight here or requested. Back-pressure is that pollers find none.
 *
 * <p>A poller asks for as many as a receive can bring. If fewer are free it waits a little for the rest, because a receive
 * of ten costs what a receive of one costs, and then takes what there is, so that messages that are stuck do not keep the
 * others out. Permits that return wake one poller, which wakes the next if it leaves some. The limit may be changed at
 * any time; lowered, it is reached as permits return. Safe for use by any thread.
 */
public final class InFlightLimit {

    private static final long PATIENCE_NANOS = Duration.ofMillis(100).toNanos();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition freed = lock.newCondition();
    private final Condition unused = lock.newCondition();
    private int limit;
    private int max;
    private int used;
    private int lent;
    private int lentMore;

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

    /** Returns permits. */
    public void release(int permits) {
        if (permits == 0) {
            return;
        }
        lock.lock();
        try {
            if (permits > used) {
                throw new IllegalStateException(permits + " permits returned, but only " + used + " were taken");
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

    /** A receive that took permits for {@code asked} messages is over, and {@code kept} of its messages are in flight. */
    public void settleReceive(int asked, int kept) {
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

    /** Changes the maximum of the limit; while none is set, it is the limit itself. */
    public void setMax(int newMax) {
        lock.lock();
        try {
            max = newMax;
            freed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Returns the maximum of the limit: an automatic limit stays below it most of the time. */
    public int max() {
        lock.lock();
        try {
            return maxNow();
        } finally {
            lock.unlock();
        }
    }

    /**
     * So many of the messages in flight wait for a retry, and do not keep others out: their permits are lent to others, up to
     * {@link #max()}, so that at most twice as many are in flight.
     */
    public void lend(int permits) {
        lock.lock();
        try {
            boolean more = permits > lent;
            lent = permits;
            if (more) {
                freed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** As {@link #lend}, but counts up, or down with a negative number. */
    public void lendMore(int permits) {
        lock.lock();
        try {
            lentMore += permits;
            if (permits > 0) {
                freed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many permits are taken: by messages in flight, and by messages requested. */
    public int used() {
        lock.lock();
        try {
            return used;
        } finally {
            lock.unlock();
        }
    }

    /**
     * The permits at one moment.
     *
     * @param limit the limit in force, or {@code used} while that is more: the limit has fallen, or permits are lent
     */
    public record Use(int used, int limit) {}

    /** Returns the permits at this moment. */
    public Use use() {
        lock.lock();
        try {
            return new Use(used, Math.max(limit, used));
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
        return limit - used + Math.min(lent + lentMore, maxNow());
    }

    private int maxNow() {
        return Math.max(max, limit);
    }
}
