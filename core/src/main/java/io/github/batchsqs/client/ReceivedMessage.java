/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client;

import io.github.batchsqs.MessageAttribute;
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

    /** {@return the id that SQS assigned to the message when it was sent} */
    String id();

    /** {@return the receipt handle of this receive} */
    String receiptHandle();

    /** {@return the body} */
    String body();

    /** {@return the message attributes that the sender set} */
    Map<String, MessageAttribute> attributes();

    /** {@return the system attributes by SQS's names} */
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

    /** {@return how often SQS has delivered the message ({@code ApproximateReceiveCount}); at least 1} */
    default int receiveCount() {
        String count = systemAttribute("ApproximateReceiveCount");
        return count == null ? 1 : Integer.parseInt(count);
    }

    /** {@return the time at which SQS accepted the message ({@code SentTimestamp})} */
    default Instant sentAt() {
        String millis = systemAttribute("SentTimestamp");
        return millis == null ? Instant.now() : Instant.ofEpochMilli(Long.parseLong(millis));
    }

    /** {@return the message group ({@code MessageGroupId}), or {@code null} if it has none} */
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
     * {@return the client library's own object, for handlers that ask for it
     * ({@code software.amazon.awssdk.services.sqs.model.Message})}
     */
    Object nativeMessage();
}
