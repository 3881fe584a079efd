/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.delivery;

import io.github.batchsqs.internal.support.EngineLock;
import io.github.batchsqs.internal.support.Locked;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The permits: one for each message that is in flight here or requested, and memory for it. Nobody waits here for a permit; whoever does is
 * notified by {@link #onFreed}. The limit may be changed at any time; lowered, it is reached as permits return.
 *
 * <p>Who decides about a receive has the {@link #lock} for all questions about it; everything else is safe for use by any thread.
 *
 * <p>Memory is taken for messages in flight, and for those that open receives probably bring. A requested message
 * counts twice its likely size, because while a receive ends its response is in memory beside the messages made from
 * it. The likely size is the largest mean of the responses so far, and falls by a sixteenth of the difference with each
 * smaller one. Before the first message, and after an empty response, open receives take no memory, so that listeners
 * of empty queues leave it to the others. A listener that holds nothing and requests nothing may always begin one
 * receive, for a sixteenth of the memory, at least for one message.
 */
public final class InFlightLimit {

    /** The response, and the messages made from it. */
    private static final int COPIES = 2;

    private static final int FORGETS = 16;

    /** One receive in excess of the memory may bring this part of it. */
    private static final int ALWAYS_PART = 16;

    /** The maximum size of a message, which is expected while nothing is known. */
    private static final long LARGEST = 1 << 20;

    private final ReentrantLock lock = new EngineLock();
    private final Condition unused = lock.newCondition();
    private final MessageMemory memory;
    private final Runnable wake = this::freed;
    private volatile Runnable onFreed = () -> {};
    private volatile int limit;
    private volatile int max;
    private int used;
    private int requested;
    private long heldBytes;
    private long takenBytes;
    /** 0 until a message was received. */
    private long likelyBytes;

    private boolean idle = true;
    private boolean closed;
    private volatile boolean exhausted;

    /** Makes a limit with memory that other listeners share. */
    public InFlightLimit(int limit, MessageMemory memory) {
        this.limit = limit;
        this.max = limit;
        this.memory = memory;
    }

    /** Returns the lock, which is also that of whoever decides about the permits: neither waits for a second one. */
    public ReentrantLock lock() {
        return lock;
    }

    /** Sets what runs, without a lock held, whenever there may be more permits or memory. */
    public void onFreed(Runnable action) {
        onFreed = action;
    }

    // ---- with the lock held

    /** Returns for how many of the wanted messages there are permits and memory right now. */
    public int room(int wanted) {
        int permits = Math.min(wanted, limit - used);
        int room = memoryFor(permits);
        return room < permits && memory.await(wake) ? memoryFor(permits) : room; // released just before, perhaps
    }

    /** Returns how many of the wanted permits are worth waiting for a little if fewer are free. */
    public long enough(int wanted) {
        long inMemory = holdsNothing() ? memoryFor(wanted) : Math.min(wanted, mostInMemory());
        return Math.max(1, Math.min(limit, inMemory));
    }

    /** Takes up to {@code wanted} permits without waiting; perhaps none. */
    public int tryAcquire(int wanted) {
        int taken = room(wanted);
        if (taken > 0) {
            used += taken;
            requested += taken;
            charge();
            exhausted = false;
            memory.awaitNoMore(wake);
        }
        return taken;
    }

    private int memoryFor(int wanted) {
        long always = holdsNothing() ? Math.max(1, memory.max() / ALWAYS_PART / bytesOfEach()) : 0;
        return (int) Math.clamp(Math.max(always, memory.free() / bytesOfEach()), 0L, Math.max(0, wanted));
    }

    private boolean holdsNothing() {
        return heldBytes == 0 && requested == 0;
    }

    /** Returns how many messages could be requested if nothing else had taken memory, at least one. */
    public long mostInMemory() {
        return Math.max(1, memory.max() / bytesOfEach());
    }

    private long bytesOfEach() {
        return likelyBytes == 0 ? LARGEST : COPIES * likelyBytes;
    }

    private void charge() {
        long bytes = closed ? 0 : heldBytes + (idle ? 0 : requested * bytesOfEach());
        memory.add(bytes - takenBytes);
        takenBytes = bytes;
    }

    // ---- without it

    /** Returns permits of messages that were requested and not received. */
    public void release(int permits) {
        if (permits > 0) {
            change(() -> {
                returned(permits);
                requested -= permits;
                charge();
            });
        }
    }

    /** Returns the permits of messages that are no longer in flight, and their memory. */
    public void releaseReceived(int permits, long size) {
        if (permits > 0) {
            change(() -> {
                returned(permits);
                heldBytes -= size;
                charge();
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
            requested -= asked;
            heldBytes += size;
            idle = kept == 0;
            if (kept > 0) {
                long mean = Math.max(1, size / kept);
                likelyBytes = Math.max(mean, likelyBytes - (likelyBytes - mean) / FORGETS);
            }
            charge();
            if (asked > kept) {
                returned(asked - kept);
            } else {
                used += kept - asked;
            }
        });
    }

    /** The owner has ended: releases the memory of all messages, whatever becomes of them. */
    public void close() {
        change(() -> {
            closed = true;
            charge();
        });
        memory.awaitNoMore(wake);
    }

    private void change(Runnable change) {
        Locked.run(lock, change);
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
        return Locked.get(lock, () -> used);
    }

    /** Waits until no permit is taken, at most so long. Returns how many still are. */
    public int awaitUnused(long nanos) throws InterruptedException {
        return Locked.awaitNone(lock, unused, () -> used, nanos);
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
        return Locked.get(lock, () -> heldBytes);
    }

    /**
     * With the lock held, records whether the memory is exhausted: there is none for a receive, and none is open. Nothing fills the batches
     * then that wait to be filled, until messages are settled.
     *
     * @return whether it is so and was not before
     */
    public boolean becomesExhausted() {
        boolean news = !exhausted && used < limit && requested == 0 && memoryFor(1) == 0;
        exhausted |= news;
        return news;
    }

    /** Returns whether nothing can be received because the memory is exhausted. Needs no lock. */
    public boolean exhausted() {
        return exhausted;
    }
}
