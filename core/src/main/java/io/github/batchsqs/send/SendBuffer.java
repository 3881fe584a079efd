/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The room for messages that are not settled yet, over all queues. Who comes first gets room first, so that a large message
 * is not passed by small ones for ever.
 */
final class SendBuffer {

    /** What a message takes beside its bytes: its objects, its promise, its place in the batch. */
    static final int OVERHEAD = 512;

    private final int capacity;
    private final Duration maxBlock;
    private final Semaphore room;

    SendBuffer(SenderOptions.Buffer options) {
        this.capacity = Math.toIntExact(options.bytes());
        this.maxBlock = options.maxBlock();
        this.room = new Semaphore(capacity, true);
    }

    /** Takes room for a message of that size if there is some and nobody waits for it. */
    boolean tryTake(long bytes) throws InterruptedException {
        return room.tryAcquire(charge(bytes), 0, TimeUnit.NANOSECONDS);
    }

    /** Takes room for a message of that size, and waits for it up to {@code max-block}; {@code false} if there was none. */
    boolean take(long bytes) throws InterruptedException {
        return room.tryAcquire(charge(bytes), maxBlock.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Gives back the room of messages of these sizes. */
    void giveBack(long... bytes) {
        int charged = 0;
        for (long each : bytes) {
            charged += charge(each);
        }
        room.release(charged);
    }

    /** How much is taken, in bytes. */
    long taken() {
        return (long) capacity - room.availablePermits();
    }

    /** A message as large as the whole buffer takes all of it, rather than waiting for ever. */
    private int charge(long bytes) {
        return (int) Math.min(capacity, bytes + OVERHEAD);
    }
}
