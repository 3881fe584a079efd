/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.codec;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.SnsNotification;
import io.github.batchsqs.codec.ConversionException;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * The JSON that SNS delivers to a queue, unless the subscription has raw message delivery.
 *
 * <p>An object whose {@code Type} is {@code Notification} is such an envelope. Everything else is a payload that SNS
 * delivered raw, except the confirmations that SNS sends to a queue of another account, which are refused.
 */
public final class SnsEnvelope {

    private SnsEnvelope() {}

    /**
     * Opens the envelope of an SNS notification.
     *
     * @param body the body as SQS delivered it
     * @return the notification with its message as text, or {@code null} if SNS delivered the message raw
     * @throws ConversionException if the body is an envelope, but not that of a notification
     */
    public static @Nullable SnsNotification<String> open(String body) {
        EnvelopeFields read = new EnvelopeFields();
        try {
            read.read(body, "MessageAttributes");
        } catch (JacksonException notJson) {
            if (isNotification(read)) {
                throw refused("it is not JSON to its end", notJson);
            }
            return null;
        }
        if (isNotification(read)) {
            return notification(read);
        }
        String type = read.texts.get("Type");
        if (read.texts.containsKey("TopicArn")
                && ("SubscriptionConfirmation".equals(type) || "UnsubscribeConfirmation".equals(type))) {
            throw refused("it is a " + type + ", which a call of its SubscribeURL confirms", null);
        }
        return null;
    }

    private static boolean isNotification(EnvelopeFields read) {
        return "Notification".equals(read.texts.get("Type"));
    }

    private static SnsNotification<String> notification(EnvelopeFields read) {
        Map<String, String> texts = read.texts;
        String message = texts.get("Message");
        if (message == null) {
            throw refused("its Message must be a text", null);
        }
        Map<String, MessageAttribute> published = new HashMap<>();
        if (read.object != null) {
            EnvelopeFields.MAPPER
                    .readTree(read.object)
                    .forEachEntry((name, attribute) -> published.put(
                            name,
                            attribute(
                                    attribute.path("Type").asString("String"),
                                    attribute.path("Value").asString(""))));
        }
        return new SnsNotification<>(
                message, texts.get("Subject"), published, texts.get("TopicArn"), texts.get("MessageId"));
    }

    private static MessageAttribute attribute(String dataType, String value) {
        if (!dataType.startsWith("Binary")) {
            return MessageAttribute.text(dataType, value);
        }
        try {
            return MessageAttribute.binary(dataType, Base64.getDecoder().decode(value));
        } catch (IllegalArgumentException notBase64) {
            throw refused("the value of a binary attribute must be Base64", notBase64);
        }
    }

    private static ConversionException refused(String why, @Nullable Throwable cause) {
        return new ConversionException("The body cannot be read as an SNS notification: " + why, cause);
    }
}
