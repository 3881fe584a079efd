/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.pull;

import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.errors.InvalidOptionException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A message that a caller received through the template.
 *
 * <p>It stays in the queue until the caller {@linkplain #acknowledge() acknowledges} it. It is hidden from other receives for
 * its visibility timeout, which nothing extends by itself: then it is delivered again, and at once after {@link
 * #release()}.
 *
 * <p>Each settlement and each {@link #extend} makes a call to SQS of its own; those of {@link PulledMessages} make one for all messages. What SQS
 * refuses is tried three times if that may help. The first settlement of a message counts: a second one makes no call and ends like
 * the first, unless that has failed. A future fails with {@link io.github.batchsqs.client.QueueCallException}. Safe for use by any
 * thread; these methods do not block.
 *
 * <p>Each call of {@link #payload()} converts the payload. One that is stored outside of SQS is fetched by each call, too, which blocks
 * meanwhile, and must be read before the message is acknowledged; the same holds for {@link #body()} and {@link #nativeMessage()}. They
 * throw {@link io.github.batchsqs.payload.PayloadStoreException} if that fails. The message with an unreadable body is returned like any
 * other, so that its {@link #body()} can be looked at, and the message deleted or left to the queue's redrive policy; its payload throws
 * {@link io.github.batchsqs.codec.ConversionException}.
 *
 * <p>{@link #leaseLost()} returns whether the visibility timeout has passed, so that others may have received the message; {@code false}
 * where it is not known because neither the request nor {@link #extend} gave one.
 *
 * @param <T> the payload type
 */
public interface PulledMessage<T> extends SqsMessage<T> {

    /**
     * Deletes the message.
     *
     * @return a future that completes when SQS has accepted the delete
     */
    CompletableFuture<Void> acknowledge();

    /**
     * Returns the message to the queue, which delivers it again at once.
     *
     * @return a future that completes when SQS has accepted the change of the visibility timeout
     */
    CompletableFuture<Void> release();

    /**
     * Keeps the message hidden for the given time from now on. May be repeated, for one call at a time: calls that overlap have no
     * order.
     *
     * @param visibilityTimeout 1 s to 12 h from now; SQS refuses more than 12 hours from the receive on
     * @return a future that completes when SQS has accepted the change; it fails if the message was acknowledged or released before
     * @throws InvalidOptionException if the time is out of these bounds
     */
    CompletableFuture<Void> extend(Duration visibilityTimeout);
}
