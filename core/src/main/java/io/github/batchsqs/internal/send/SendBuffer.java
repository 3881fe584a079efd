/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.send.SendFailedException;
import io.github.batchsqs.send.SenderOptions;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The room for messages that are not settled yet, over all queues. Threads get room in the order of their requests, so that
 * small messages do not overtake a large one for ever.
 */
final class SendBuffer {

    /** The bytes that a message occupies in addition to its content: its objects, its future, its place in the batch. */
    static final int OVERHEAD = 512;

    private final SenderOptions.Buffer options;
    private final int capacity;
    private final Semaphore room;

    SendBuffer(SenderOptions.Buffer options) {
        this.options = options;
        this.capacity = Math.toIntExact(options.bytes());
        this.room = new Semaphore(capacity, true);
    }

    /** Reserves room for a message if there is some, no thread waits for it and this one is not interrupted. */
    boolean tryReserve(BufferedMessage message) {
        try {
            return room.tryAcquire(charge(message.occupied), 0, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Reserves room for a message.
     *
     * @param patience how long to wait for it
     * @throws SendFailedException if there was no room in time, or the thread was interrupted; the message's future has failed with it
     */
    void reserve(BufferedMessage message, Patience patience) {
        try {
            if (!tryReserve(message)) {
                await(message, patience);
            }
        } catch (SendFailedException e) {
            message.future.completeExceptionally(e); // for the observer of the message
            throw e;
        }
    }

    private void await(BufferedMessage message, Patience patience) {
        long start = System.nanoTime();
        try {
            if (!room.tryAcquire(charge(message.occupied), patience.leftNanos(), TimeUnit.NANOSECONDS)) {
                throw Refusals.before(
                        message.queue,
                        SendFailedException.BUFFER_FULL,
                        "The buffer (buffer-bytes: " + Check.bytes(options.bytes()) + ") was full for max-block ("
                                + Check.text(options.maxBlock())
                                + ", which all messages of a transaction share): messages come faster than SQS takes them, or"
                                + " those of a transaction fill the buffer, of which none is sent before the commit. Send"
                                + " slower or fewer in a transaction, or raise buffer-bytes or max-block",
                        true,
                        null);
            }
        } catch (InterruptedException e) {
            throw Refusals.interrupted(message.queue, e);
        } finally {
            patience.waited(System.nanoTime() - start);
        }
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
