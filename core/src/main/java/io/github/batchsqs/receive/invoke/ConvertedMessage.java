/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.invoke;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.receive.delivery.Delivery;
import io.github.batchsqs.time.TimeSource;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A delivery as the handler sees it.
 *
 * @param message the message with its payload as the body
 * @param place where it stands in the batch that was handed over, counted from 0
 */
record ConvertedMessage<T>(
        Delivery delivery, ReceivedMessage message, int place, String queue, T payload, TimeSource time)
        implements SqsMessage<T> {

    @Override
    public String id() {
        return message.id();
    }

    @Override
    public String body() {
        return message.body();
    }

    @Override
    public String receiptHandle() {
        return delivery.receiptHandle();
    }

    @Override
    public Map<String, MessageAttribute> attributes() {
        return message.attributes();
    }

    @Override
    public Map<String, String> systemAttributes() {
        return message.systemAttributes();
    }

    @Override
    public int receiveCount() {
        return message.receiveCount();
    }

    @Override
    public Instant sentAt() {
        return message.sentAt();
    }

    @Override
    public @Nullable String groupId() {
        return message.groupId();
    }

    @Override
    public @Nullable String deduplicationId() {
        return systemAttributes().get("MessageDeduplicationId");
    }

    @Override
    public @Nullable String sequenceNumber() {
        return systemAttributes().get("SequenceNumber");
    }

    @Override
    public Object nativeMessage() {
        return message.nativeMessage();
    }

    @Override
    public boolean leaseLost() {
        return delivery.everLost() || delivery.leaseLost(time.nanos());
    }

    /** Contains the id, never the payload: it may be confidential. */
    @Override
    public String toString() {
        return "SqsMessage[" + id() + " from " + queue + "]";
    }
}
