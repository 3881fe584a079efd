/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.delivery;

import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The permits: one for each message that is in flight here or requested. Back-pressure is that pollers find none.
 *
 * <p>A poller asks for as many as a receive can bring. If fewer are free it waits a little for the rest, because a receive
 * of ten costs what a receive of one costs, and then takes what there is, so that messages that are stuck do not keep the
 * others out. Permits that return wake one poller, which wakes the next if it leaves some. The limit may be changed at
 * any time; lowered, it is reached as permits return. Safe for use by any thread.
 *
 * <p>A permit needs memory for its message, too, of which there is as much as the {@link MessageMemory} has. It is exhausted when there
 * is none for a receive and none is open: then nothing fills the batches that wait to be filled, until messages are settled.
 */
public final class InFlightLimit {

    private static final long PATIENCE_NANOS = Duration.ofMillis(100).toNanos();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition freed;
    private final Condition unused = lock.newCondition();
    private final MessageMemory memory;
    private final InFlightBytes bytes;
    private final Runnable whenExhausted;
    private final Runnable wake = this::wake;
    private int limit;
    private int max;
    private int used;
    private int lent;
    private long lentBytes;
    private int lentMore;
    private int waitingForMemory;
    private volatile boolean exhausted;

    /** Makes a limit that memory does not narrow. */
    public InFlightLimit(int limit) {
        this(limit, MessageMemory.unlimited(), () -> {});
    }

    /** Makes a limit whose waits are those of the machine's time; see {@link #InFlightLimit(int, MessageMemory, Runnable, TimeSource)}. */
    public InFlightLimit(int limit, MessageMemory memory, Runnable whenExhausted) {
        this(limit, memory, whenExhausted, TimeSource.system());
    }

    /**
     * Makes a limit.
     *
     * @param memory for the messages, shared with other listeners
     * @param whenExhausted called by a poller, without a lock, each time that it finds the memory exhausted
     * @param time the time by which pollers wait for permits
     */
    public InFlightLimit(int limit, MessageMemory memory, Runnable whenExhausted, TimeSource time) {
        this.freed = time.condition(lock);
        this.limit = limit;
        this.memory = memory;
        this.bytes = new InFlightBytes(memory);
        this.whenExhausted = whenExhausted;
    }

    /**
     * Takes up to {@code wanted} permits, at least one; waits until there is one.
     *
     * @return how many were taken
     */
    public int acquire(int wanted) throws InterruptedException {
        int taken = acquireUnlessExhausted(wanted);
        while (taken == 0) {
            whenExhausted.run();
            taken = acquireUnlessExhausted(wanted);
        }
        return taken;
    }

    /** Returns 0 when the memory has become exhausted; on the next call it is no news. */
    private int acquireUnlessExhausted(int wanted) throws InterruptedException {
        lock.lockInterruptibly();
        boolean waits = false;
        try {
            long patience = PATIENCE_NANOS;
            while (true) {
                int free = free(wanted);
                if (free >= enough(wanted) || (free > 0 && patience <= 0)) {
                    int taken = take(wanted);
                    if (taken > 0) {
                        exhausted = false;
                        if (free(1) > 0) {
                            freed.signal();
                        }
                        return taken;
                    }
                } else if (!waits && memoryIsShort(wanted)) {
                    waits = true; // and looks again: memory may have been released just before
                    startWaitForMemory();
                } else if (!exhausted && freePermits() > 0 && bytes.exhausted()) {
                    exhausted = true;
                    return 0;
                } else if (free < 1) {
                    freed.await();
                } else {
                    patience = freed.awaitNanos(patience);
                }
            }
        } finally {
            if (waits) {
                endWaitForMemory();
            }
            lock.unlock();
        }
    }

    /** A poller that finds so many does not wait for more. */
    private long enough(int wanted) {
        return Math.max(1, Math.min(Math.min(wanted, limit), bytes.worthWaitingFor()));
    }

    private boolean memoryIsShort(int wanted) {
        int permits = Math.min(wanted, freePermits());
        return permits > 0 && bytes.room(permits) < permits;
    }

    private void startWaitForMemory() {
        if (waitingForMemory++ == 0) {
            memory.await(wake);
        }
    }

    private void endWaitForMemory() {
        if (--waitingForMemory == 0) {
            memory.awaitNoMore(wake);
        }
    }

    /** Another listener has released memory. */
    private void wake() {
        lock.lock();
        try {
            freed.signal();
        } finally {
            lock.unlock();
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

    /** Returns permits of messages that were requested and not received. */
    public void release(int permits) {
        if (permits == 0) {
            return;
        }
        lock.lock();
        try {
            returned(permits);
            bytes.notReceived(permits);
        } finally {
            lock.unlock();
        }
        memory.wakeWaiting();
    }

    /** Returns the permits of messages that are no longer in flight, and their memory. */
    public void releaseReceived(int permits, long size) {
        if (permits == 0) {
            return;
        }
        lock.lock();
        try {
            returned(permits);
            bytes.untracked(size);
        } finally {
            lock.unlock();
        }
        memory.wakeWaiting();
    }

    private void returned(int permits) {
        if (permits > used) {
            throw new IllegalStateException(permits + " permits returned, but only " + used + " were taken");
        }
        used -= permits;
        freed.signal();
        if (used == 0) {
            unused.signalAll();
        }
    }

    /**
     * A receive that took permits for {@code asked} messages is over, and {@code kept} of its messages are in flight, which
     * have {@code size} bytes.
     */
    public void settleReceive(int asked, int kept, long size) {
        lock.lock();
        try {
            bytes.received(asked, kept, size);
            if (asked > kept) {
                returned(asked - kept);
            } else {
                used += kept - asked;
                freed.signal(); // after a message, more may be requested than before
            }
        } finally {
            lock.unlock();
        }
        memory.wakeWaiting();
    }

    /** The owner has ended: releases the memory of all messages, whatever becomes of them. */
    public void close() {
        lock.lock();
        try {
            bytes.close();
        } finally {
            lock.unlock();
        }
        memory.wakeWaiting();
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
        return locked(this::maxNow);
    }

    /**
     * So many of the messages in flight wait for a retry, and do not keep others out: their permits are lent to others, up to
     * {@link #max()}, so that at most twice as many are in flight. What they hold of the memory does not count against this listener's
     * part of it.
     *
     * @param size how many bytes they have
     */
    public void lend(int permits, long size) {
        lock.lock();
        try {
            boolean more = permits > lent || size > lentBytes;
            lent = permits;
            lentBytes = size;
            bytes.waitForRetry(size);
            if (more) {
                freed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Takes room for messages that are about to wait for a retry, until {@link #lend} counts them with the others that wait.
     *
     * @param size how many bytes they have
     * @return whether there was room
     */
    public boolean takeToWait(long size) {
        return locked(() -> bytes.takeToWait(size));
    }

    /**
     * As {@link #lend}, for messages that wait for a dead-letter queue; but counts up, or down with negative numbers.
     *
     * @return how much of the size is lent: nothing if no more may wait
     */
    public long lendMore(int permits, long size) {
        return locked(() -> {
            lentMore += permits;
            freed.signal();
            return bytes.waitForDeadLetter(size);
        });
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
        return locked(() -> new Use(used, Math.max(limit, used)));
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

    /** How many permits are free, and have memory. */
    public int available() {
        return locked(() -> free(Integer.MAX_VALUE));
    }

    /** What messages in flight have all of, so that nothing more can be received. */
    public enum Full {
        NOTHING,
        PERMITS,
        /** As far as this listener's messages have what is its own if all listeners share the memory equally. */
        MEMORY
    }

    /** Returns what the messages in flight have all of. */
    public Full full() {
        return locked(() -> freePermits() < 1 ? Full.PERMITS : bytes.full() ? Full.MEMORY : Full.NOTHING);
    }

    /** Returns the memory, which other listeners share. */
    public MessageMemory memory() {
        return memory;
    }

    /** Returns how many bytes the messages in flight have. */
    public long heldBytes() {
        return locked(bytes::held);
    }

    /** Returns whether pollers wait for memory. */
    public boolean waitsForMemory() {
        return locked(() -> waitingForMemory > 0);
    }

    /** Returns whether the memory could hold so many messages of the likely size if nothing else had taken any of it. */
    public boolean memoryFits(int messages) {
        return locked(() -> messages <= bytes.most());
    }

    /** Returns whether nothing can be received because the memory is exhausted. Needs no lock. */
    public boolean exhausted() {
        return exhausted;
    }

    private <T> T locked(Supplier<T> read) {
        lock.lock();
        try {
            return read.get();
        } finally {
            lock.unlock();
        }
    }

    private int take(int wanted) {
        int taken = bytes.request(Math.min(wanted, freePermits()));
        used += taken;
        return taken;
    }

    private int free(int wanted) {
        int permits = Math.min(wanted, freePermits());
        return permits < 1 ? permits : bytes.room(permits);
    }

    private int freePermits() {
        return limit - used + Math.min(lent + lentMore, maxNow());
    }

    private int maxNow() {
        return Math.max(max, limit);
    }
}
