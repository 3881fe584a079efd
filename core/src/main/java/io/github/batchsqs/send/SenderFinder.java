/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.events.SenderEvent;
import io.github.batchsqs.events.SenderEvents;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Finds the sender of a message; waits for the look-up of its queue, and fails the message if the queue is not found. */
final class SenderFinder {

    private final QueueSenders senders;
    private final QueueEvents events;
    private final TimeSource time;

    SenderFinder(QueueSenders senders, QueueEvents events, TimeSource time) {
        this.senders = senders;
        this.events = events;
        this.time = time;
    }

    /** Returns the sender of the message if its queue is known; waits for nothing. */
    @Nullable
    QueueSender known(OutgoingMessage message) {
        return senders.known(message.queue());
    }

    /**
     * Returns the sender of the message after a look-up of its queue.
     *
     * @param maxBlock how long to wait for the look-up
     * @param bound the messages of the transaction, which counts the wait
     * @throws SendFailedException if the queue was not found in time, the template was closed, or the thread interrupted
     */
    QueueSender find(OutgoingMessage message, Duration maxBlock, @Nullable BoundMessages bound) {
        long start = time.nanos();
        try {
            QueueSender sender = senders.find(message.queue(), maxBlock);
            if (sender == null) {
                throw Refusals.closed(message, eventsTo(message));
            }
            return sender;
        } catch (InterruptedException e) {
            throw Refusals.interrupted(message, e, eventsTo(message));
        } catch (SendFailedException e) {
            throw e;
        } catch (RuntimeException e) {
            throw unavailable(message, e);
        } finally {
            if (bound != null) {
                bound.waited(Duration.ofNanos(time.nanos() - start));
            }
        }
    }

    /** Makes the failure of a message whose queue cannot be used, and counts it. */
    SendFailedException unavailable(OutgoingMessage message, RuntimeException cause) {
        eventsTo(message).on(new SenderEvent.Refused(SendFailedException.QUEUE_UNAVAILABLE));
        boolean retryable = cause instanceof BatchSqsException known && known.retryable();
        String rule = retryable
                ? ""
                : "; the queue is looked up at most once per " + Check.text(QueueLookUps.FAILURE_REMEMBERED);
        return SendFailedException.before(
                message, SendFailedException.QUEUE_UNAVAILABLE, cause.getMessage() + rule, retryable, cause);
    }

    /** Returns the events of a message whose queue may not be found yet. */
    SenderEvents eventsTo(OutgoingMessage message) {
        return events.notFound(QueueLookUps.nameOf(message.queue()));
    }
}
