/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A notification that a topic of Amazon SNS sent to the queue. Immutable.
 *
 * <p>A handler declares it as its payload type: {@code List<SnsNotification<Order>>}. With raw message delivery there is no
 * envelope: the body is the payload, SNS has made its attributes those of the SQS message, and the other values are {@code null}.
 *
 * @param payload the message that was published, converted
 * @param subject the subject, or {@code null} if the publisher set none
 * @param attributes the attributes that the publisher set
 * @param topicArn the topic; {@code null} with raw delivery
 * @param messageId the id that SNS assigned to the message; {@code null} with raw delivery
 * @param <T> the payload type
 */
public record SnsNotification<T>(
        T payload,
        @Nullable String subject,
        Map<String, MessageAttribute> attributes,
        @Nullable String topicArn,
        @Nullable String messageId) {

    /** Copies the attributes. */
    public SnsNotification {
        attributes = Map.copyOf(attributes);
    }

    /**
     * {@return this notification with another payload}
     *
     * @param <U> the type of the other payload
     * @param other the payload that replaces this one
     */
    public <U> SnsNotification<U> with(U other) {
        return new SnsNotification<>(other, subject, attributes, topicArn, messageId);
    }

    /** Returns the ids, never payload, subject or attributes: they may be confidential. */
    @Override
    public String toString() {
        return "SnsNotification[" + messageId + " of " + topicArn + "]";
    }
}
