/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One received message with its payload converted.
 *
 * <p>All values but {@link #leaseLost()} and {@link #receiptHandle()} are those of the receive and do not change. Safe
 * for use by any thread.
 *
 * @param <T> the payload type
 */
public interface SqsMessage<T> {

    /** The body, converted to the type that the handler asks for. */
    T payload();

    /** The id that SQS gave the message when it was sent; the same at every receive. */
    String id();

    /** The body as SQS delivered it. */
    String body();

    /** The name of the queue that the message was received from. */
    String queue();

    /** The newest receipt handle: a second receive of a message that is still in flight here replaces it. */
    String receiptHandle();

    /** The message attributes that the sender set. */
    Map<String, MessageAttribute> attributes();

    /** The system attributes, by SQS's names, for example {@code AWSTraceHeader}. */
    Map<String, String> systemAttributes();

    /** How often SQS has delivered the message, this time included; at least 1. */
    int receiveCount();

    /** When SQS accepted the message, to the millisecond. */
    Instant sentAt();

    /** The message group: an ordered lane on a FIFO queue, a tenant on a standard (fair) queue. */
    @Nullable
    String groupId();

    /** The deduplication id; only on FIFO queues. */
    @Nullable
    String deduplicationId();

    /** The sequence number; only on FIFO queues. */
    @Nullable
    String sequenceNumber();

    /**
     * The client library's own object: {@code software.amazon.awssdk.services.sqs.model.Message}. Its receipt handle is that
     * of the receive that brought it, and so possibly older than {@link #receiptHandle()}.
     */
    Object nativeMessage();

    /**
     * Whether this listener no longer holds the message: its visibility timeout passed, or SQS refused to extend it.
     * Another instance may be handling it already, so a handler that checks this before a costly side effect saves a
     * duplicate. Once {@code true} it stays so.
     */
    boolean leaseLost();
}
