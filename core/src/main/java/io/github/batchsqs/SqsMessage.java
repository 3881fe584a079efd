/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One received message with its payload converted.
 *
 * <p>Only {@link #leaseLost()} and {@link #receiptHandle()} change after the receive. Safe for use by any thread.
 *
 * @param <T> the payload type
 */
public interface SqsMessage<T> {

    /** {@return the body, converted to the payload type of the handler} */
    T payload();

    /** {@return the id that SQS assigned when the message was sent; it is the same at every receive} */
    String id();

    /** {@return the body as SQS delivered it} */
    String body();

    /** {@return the name of the queue that the message was received from} */
    String queue();

    /** {@return the newest receipt handle; a second receive of a message that is still in flight here replaces the handle} */
    String receiptHandle();

    /** {@return the message attributes that the sender set} */
    Map<String, MessageAttribute> attributes();

    /** {@return the system attributes by SQS's names, for example {@code AWSTraceHeader}} */
    Map<String, String> systemAttributes();

    /** {@return how often SQS has delivered the message, including this time; at least 1} */
    int receiveCount();

    /** {@return the time at which SQS accepted the message, with a precision of milliseconds} */
    Instant sentAt();

    /**
     * {@return the message group, or {@code null} if the message has none} On a FIFO queue, the messages of a group are
     * ordered. On a standard queue, the group is a tenant of a fair queue.
     */
    @Nullable
    String groupId();

    /** {@return the deduplication id, or {@code null} on a standard queue} */
    @Nullable
    String deduplicationId();

    /** {@return the sequence number, or {@code null} on a standard queue} */
    @Nullable
    String sequenceNumber();

    /**
     * {@return the object of the client library: {@code software.amazon.awssdk.services.sqs.model.Message}} The object has the
     * receipt handle of its own receive, which may be older than {@link #receiptHandle()}.
     */
    Object nativeMessage();

    /**
     * {@return whether this listener has lost the message: its visibility timeout passed, or SQS refused to extend it}
     * Another instance may already handle it, so a handler can check this before a costly side effect. After the
     * first {@code true}, the value does not change.
     */
    boolean leaseLost();
}
