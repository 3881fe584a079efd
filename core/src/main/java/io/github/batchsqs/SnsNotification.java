/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a topic of Amazon SNS sent to the queue. Immutable.
 *
 * <p>A handler asks for it as its payload type: {@code List<SnsNotification<Order>>}. With raw message delivery there is no
 * envelope: the body is the payload, SNS has made its attributes those of the SQS message, and all else is {@code null}.
 *
 * @param payload the message that was published, converted
 * @param subject the subject, if the publisher gave one
 * @param attributes the attributes that the publisher set
 * @param topicArn the topic; {@code null} with raw delivery
 * @param messageId the id that SNS gave the message; {@code null} with raw delivery
 * @param <T> the payload type
 */
public record SnsNotification<T>(
        T payload,
        @Nullable String subject,
        Map<String, MessageAttribute> attributes,
        @Nullable String topicArn,
        @Nullable String messageId) {

    public SnsNotification {
        attributes = Map.copyOf(attributes);
    }

    /** The same notification with another payload. */
    public <U> SnsNotification<U> with(U other) {
        return new SnsNotification<>(other, subject, attributes, topicArn, messageId);
    }

    /** The ids, never payload, subject or attributes: they may be confidential. */
    @Override
    public String toString() {
        return "SnsNotification[" + messageId + " of " + topicArn + "]";
    }
}
