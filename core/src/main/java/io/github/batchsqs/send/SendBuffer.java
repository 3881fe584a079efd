/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The room for messages that are not settled yet, over all queues. Threads get room in the order of their requests, so that
 * small messages do not overtake a large one for ever.
 */
final class SendBuffer {

    /** The bytes that a message occupies in addition to its content: its objects, its future, its place in the batch. */
    static final int OVERHEAD = 512;

    private final int capacity;
    private final Semaphore room;

    SendBuffer(SenderOptions.Buffer options) {
        this.capacity = Math.toIntExact(options.bytes());
        this.room = new Semaphore(capacity, true);
    }

    /** Takes room for a message of that size if there is some, no thread waits for it and this one is not interrupted. */
    boolean tryTake(long bytes) {
        try {
            return room.tryAcquire(charge(bytes), 0, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Takes room for a message of that size, and waits for it at most that long; {@code false} if there was none. */
    boolean take(long bytes, Duration patience) throws InterruptedException {
        return room.tryAcquire(charge(bytes), Math.max(0, patience.toNanos()), TimeUnit.NANOSECONDS);
    }

    /** Returns whether there will never be room for a message of that size while so many bytes stay taken. */
    boolean neverBeside(long held, long bytes) {
        return held + charge(bytes) > capacity;
    }

    /** Releases the room of messages of these sizes. */
    void release(long... bytes) {
        int charged = 0;
        for (long each : bytes) {
            charged += charge(each);
        }
        room.release(charged);
    }

    /** Returns the number of bytes that are taken. */
    long taken() {
        return (long) capacity - room.availablePermits();
    }

    /** Returns the room that a message takes: at most the whole buffer, so that no message waits for ever. */
    private int charge(long bytes) {
        return (int) Math.min(capacity, bytes + OVERHEAD);
    }
}
