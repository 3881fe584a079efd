/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.delivery;

import io.github.batchsqs.internal.support.EngineLock;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The permits: one for each message that is in flight here or requested, and memory for it. Nobody waits here for a permit; whoever does is
 * notified by {@link #onFreed}. The limit may be changed at any time; lowered, it is reached as permits return. Safe for use by any thread.
 */
public final class InFlightLimit {

    private final ReentrantLock lock = new EngineLock();
    private final Condition unused = lock.newCondition();
    private final MessageMemory memory;
    private final InFlightBytes bytes;
    private final Runnable wake = this::freed;
    private volatile Runnable onFreed = () -> {};
    private volatile int limit;
    private volatile int max;
    private int used;
    private volatile boolean exhausted;

    /** Makes a limit that memory does not narrow. */
    public InFlightLimit(int limit) {
        this(limit, MessageMemory.unlimited());
    }

    /** Makes a limit with memory that other listeners share. */
    public InFlightLimit(int limit, MessageMemory memory) {
        this.limit = limit;
        this.max = limit;
        this.memory = memory;
        this.bytes = new InFlightBytes(memory);
    }

    /** Returns the lock, which is also that of whoever decides about the permits: neither waits for a second one. */
    public ReentrantLock lock() {
        return lock;
    }

    /** Sets what runs, without a lock held, whenever there may be more permits or memory. */
    public void onFreed(Runnable action) {
        onFreed = action;
    }

    /** Returns for how many of the wanted messages there are permits and memory right now. */
    public int room(int wanted) {
        return locked(() -> roomNow(wanted));
    }

    /** Returns how many of the wanted permits are worth waiting for a little if fewer are free. */
    public long enough(int wanted) {
        return locked(() -> Math.max(1, Math.min(limit, bytes.enough(wanted))));
    }

    /** Takes up to {@code wanted} permits without waiting; perhaps none. */
    public int tryAcquire(int wanted) {
        return locked(() -> {
            int taken = roomNow(wanted);
            if (taken > 0) {
                used += taken;
                bytes.requested(taken);
                exhausted = false;
                memory.awaitNoMore(wake);
            }
            return taken;
        });
    }

    private int roomNow(int wanted) {
        int permits = Math.min(wanted, limit - used);
        int room = bytes.room(permits);
        return room < permits && memory.await(wake) ? bytes.room(permits) : room; // released just before, perhaps
    }

    /** Returns permits of messages that were requested and not received. */
    public void release(int permits) {
        if (permits > 0) {
            change(() -> {
                returned(permits);
                bytes.notReceived(permits);
            });
        }
    }

    /** Returns the permits of messages that are no longer in flight, and their memory. */
    public void releaseReceived(int permits, long size) {
        if (permits > 0) {
            change(() -> {
                returned(permits);
                bytes.untracked(size);
            });
        }
    }

    private void returned(int permits) {
        if (permits > used) {
            throw new IllegalStateException(permits + " permits returned, but only " + used + " were taken");
        }
        used -= permits;
        if (used == 0) {
            unused.signalAll();
        }
    }

    /**
     * A receive that took permits for {@code asked} messages is over, and {@code kept} of its messages are in flight, which
     * have {@code size} bytes.
     */
    public void settleReceive(int asked, int kept, long size) {
        change(() -> {
            bytes.received(asked, kept, size);
            if (asked > kept) {
                returned(asked - kept);
            } else {
                used += kept - asked;
            }
        });
    }

    /** The owner has ended: releases the memory of all messages, whatever becomes of them. */
    public void close() {
        change(bytes::close);
        memory.awaitNoMore(wake);
    }

    private void change(Runnable change) {
        lock.lock();
        try {
            change.run();
        } finally {
            lock.unlock();
        }
        freed();
        memory.wakeWaiting();
    }

    private void freed() {
        onFreed.run();
    }

    /** Changes the limit and its maximum. Notifies nobody. */
    public void setLimit(int newLimit, int newMax) {
        limit = newLimit;
        max = newMax;
    }

    /** Returns the maximum of the limit: an automatic limit stays below it most of the time. Needs no lock. */
    public int max() {
        return max;
    }

    /** Returns how many permits are taken: by messages in flight, and by messages requested. */
    public int used() {
        return locked(() -> used);
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

    /** Returns the limit in force. Needs no lock. */
    public int limit() {
        return limit;
    }

    /** Returns the memory, which other listeners share. */
    public MessageMemory memory() {
        return memory;
    }

    /**
     * Returns whether more messages may wait here for a retry, with their permits and their memory. So that they keep no other group
     * out, those that wait may have half of each; a lone group may wait in any case.
     *
     * @param waiting how many wait
     * @param bytes how many bytes those have
     */
    public boolean mayWait(int waiting, long bytes, List<Delivery> more) {
        long size = bytes + InFlightLedger.bytes(more);
        return waiting == 0 || (waiting + more.size() <= max() / 2 && size <= memory.max() / 2);
    }

    /** Returns how many bytes the messages in flight have. */
    public long heldBytes() {
        return locked(bytes::held);
    }

    /** Returns whether the memory could hold so many messages of the likely size if nothing else had taken any of it. */
    public boolean memoryFits(int messages) {
        return locked(() -> messages <= bytes.most());
    }

    /**
     * Records whether the memory is exhausted: there is none for a receive, and none is open. Nothing fills the batches then that wait to
     * be filled, until messages are settled.
     *
     * @return whether it is so and was not before
     */
    public boolean becomesExhausted() {
        return locked(() -> {
            boolean news = !exhausted && used < limit && bytes.exhausted();
            exhausted |= news;
            return news;
        });
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
}
