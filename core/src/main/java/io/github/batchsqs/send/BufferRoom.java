/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import io.github.batchsqs.events.SenderEvent;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Reserves room in the buffer for a message; waits for it, and fails the message if the buffer stays full. */
final class BufferRoom {

    private final SendBuffer buffer;
    private final SenderOptions.Buffer options;
    private final TimeSource time;
    private final AtomicBoolean closed;

    /** @param closed whether the template is closed: then no message gets room */
    BufferRoom(SendBuffer buffer, SenderOptions.Buffer options, TimeSource time, AtomicBoolean closed) {
        this.buffer = buffer;
        this.options = options;
        this.time = time;
        this.closed = closed;
    }

    /** Reserves room if there is some; waits for nothing. */
    boolean tryReserve(BufferedMessage message) {
        return buffer.tryTake(message.occupied);
    }

    /**
     * Reserves room.
     *
     * @param maxBlock how long to wait for it
     * @param bound the messages of the transaction, which counts the wait
     * @throws SendFailedException if there was no room in time, the template was closed, or the thread interrupted; the
     *     message's future has failed with it
     */
    void reserve(BufferedMessage message, QueueSender sender, Duration maxBlock, @Nullable BoundMessages bound) {
        try {
            await(message, sender, maxBlock, bound);
        } catch (SendFailedException e) {
            boolean ignored = message.future.completeExceptionally(e); // for the observer of the message
            throw e;
        }
    }

    private void await(BufferedMessage ready, QueueSender sender, Duration maxBlock, @Nullable BoundMessages bound) {
        OutgoingMessage message = ready.message;
        boolean reserved;
        try {
            reserved =
                    bound == null ? buffer.take(ready.occupied, maxBlock) : takeWithin(bound, ready.occupied, maxBlock);
        } catch (InterruptedException e) {
            throw Refusals.interrupted(message, e, sender.events());
        }
        if (!reserved) {
            sender.events().on(new SenderEvent.Refused(SendFailedException.BUFFER_FULL));
            throw SendFailedException.before(
                    message, SendFailedException.BUFFER_FULL, bufferFull(ready, bound), true, null);
        }
        if (closed.get()) {
            buffer.release(ready.occupied);
            throw Refusals.closed(message, sender.events());
        }
    }

    private boolean takeWithin(BoundMessages bound, long bytes, Duration maxBlock) throws InterruptedException {
        if (buffer.tryTake(bytes)) {
            return true;
        }
        if (buffer.neverBeside(bound.bytes(), bytes)) {
            return false;
        }
        long start = time.nanos();
        try {
            return buffer.take(bytes, maxBlock);
        } finally {
            bound.waited(Duration.ofNanos(time.nanos() - start));
        }
    }

    private String bufferFull(BufferedMessage ready, @Nullable BoundMessages bound) {
        String buffered = "(buffer-bytes: " + Check.bytes(options.bytes()) + ")";
        if (bound != null && buffer.neverBeside(bound.bytes(), ready.occupied)) {
            return "The messages of its transaction fill the buffer " + buffered
                    + ", and none of them is sent before the commit. Send fewer in a transaction, or raise buffer-bytes";
        }
        return "The buffer " + buffered + " was full for max-block ("
                + Check.text(options.maxBlock())
                + (bound == null ? "" : ", which all messages of a transaction share")
                + "): messages come faster than SQS takes them. Send slower, or raise buffer-bytes or"
                + " max-block";
    }
}
