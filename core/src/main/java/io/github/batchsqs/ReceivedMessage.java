/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message as one receive brought it.
 *
 * <p>An interface rather than a record so that an implementation can wrap the client's own object: nothing is copied
 * until it is asked for.
 */
public interface ReceivedMessage {

    /** {@return the id that SQS assigned when the message was sent; it is the same at every receive} */
    String id();

    /** {@return the receipt handle of this receive} */
    String receiptHandle();

    /** {@return the body as SQS delivered it} */
    String body();

    /** {@return the message attributes that the sender set} */
    Map<String, MessageAttribute> attributes();

    /** {@return the system attributes by SQS's names, for example {@code AWSTraceHeader}} */
    Map<String, String> systemAttributes();

    /**
     * Returns one system attribute. An implementation overrides it if that needs less than all of them.
     *
     * @param name SQS's name of the attribute
     * @return the value, or {@code null} if the message has no such attribute
     */
    default @Nullable String systemAttribute(String name) {
        return systemAttributes().get(name);
    }

    /** {@return how often SQS has delivered the message, including this time ({@code ApproximateReceiveCount}); 1 if that is no number} */
    default int receiveCount() {
        return (int) number("ApproximateReceiveCount", 1);
    }

    /** {@return the time at which SQS accepted the message, in milliseconds ({@code SentTimestamp}); now if that is no number} */
    default Instant sentAt() {
        long millis = number("SentTimestamp", -1);
        return millis < 0 ? Instant.now() : Instant.ofEpochMilli(millis);
    }

    private long number(String attribute, long otherwise) {
        String text = systemAttribute(attribute);
        try {
            return text == null ? otherwise : Long.parseLong(text);
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }

    /**
     * {@return the message group ({@code MessageGroupId}), or {@code null} if the message has none} On a FIFO queue, the messages of a
     * group are ordered. On a standard queue, the group is a tenant of a fair queue.
     */
    default @Nullable String groupId() {
        return systemAttribute("MessageGroupId");
    }

    /** {@return the deduplication id ({@code MessageDeduplicationId}), or {@code null} on a standard queue} */
    default @Nullable String deduplicationId() {
        return systemAttribute("MessageDeduplicationId");
    }

    /** {@return the sequence number ({@code SequenceNumber}), or {@code null} on a standard queue} */
    default @Nullable String sequenceNumber() {
        return systemAttribute("SequenceNumber");
    }

    /**
     * {@return the object of the client library: {@code software.amazon.awssdk.services.sqs.model.Message}} It has the receipt handle of
     * its own receive, which may be older than {@link #receiptHandle()}.
     */
    Object nativeMessage();
}
