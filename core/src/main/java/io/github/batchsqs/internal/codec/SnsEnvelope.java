/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.codec;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.SnsNotification;
import io.github.batchsqs.codec.ConversionException;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The JSON that SNS delivers to a queue, unless the subscription has raw message delivery.
 *
 * <p>An object whose {@code Type} is {@code Notification} is such an envelope. Everything else is a payload that SNS
 * delivered raw, except the confirmations that SNS sends to a queue of another account, which are refused.
 */
public final class SnsEnvelope {

    private static final JsonMapper MAPPER = JsonMapper.shared();
    private static final String NAME = "an SNS notification";

    private static final Set<String> TEXTS = Set.of("Type", "TopicArn", "MessageId", "Subject", "Message");

    /** The values of {@link #TEXTS} that are texts. */
    private final Map<String, String> texts = new HashMap<>();

    private @Nullable JsonNode attributes;

    private SnsEnvelope() {}

    /**
     * Opens the envelope of an SNS notification.
     *
     * @param body the body as SQS delivered it
     * @return the notification with its message as text, or {@code null} if SNS delivered the message raw
     * @throws ConversionException if the body is an envelope, but not that of a notification
     */
    public static @Nullable SnsNotification<String> open(String body) {
        var envelope = new SnsEnvelope();
        try (JsonParser parser = MAPPER.createParser(body)) {
            envelope.read(parser);
        } catch (JacksonException notJson) {
            if (envelope.isNotification()) {
                throw refused("it is not JSON to its end", notJson);
            }
            return null;
        }
        return envelope.notification();
    }

    private void read(JsonParser parser) {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            return;
        }
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            JsonToken value = parser.nextToken();
            if (value == JsonToken.VALUE_STRING && TEXTS.contains(name)) {
                texts.put(name, parser.getString());
            } else if (value == JsonToken.START_OBJECT && name.equals("MessageAttributes")) {
                attributes = parser.readValueAsTree();
            } else {
                parser.skipChildren();
            }
        }
    }

    private boolean isNotification() {
        return "Notification".equals(texts.get("Type"));
    }

    private @Nullable SnsNotification<String> notification() {
        if (isNotification()) {
            String message = texts.get("Message");
            if (message == null) {
                throw refused("its Message must be a text", null);
            }
            return new SnsNotification<>(
                    message, texts.get("Subject"), published(), texts.get("TopicArn"), texts.get("MessageId"));
        }
        String type = texts.get("Type");
        if (texts.containsKey("TopicArn")
                && ("SubscriptionConfirmation".equals(type) || "UnsubscribeConfirmation".equals(type))) {
            throw refused("it is a " + type + ", which a call of its SubscribeURL confirms", null);
        }
        return null;
    }

    private Map<String, MessageAttribute> published() {
        if (attributes == null) {
            return Map.of();
        }
        Map<String, MessageAttribute> published = new HashMap<>();
        attributes.forEachEntry((name, attribute) -> published.put(
                name,
                attribute(
                        attribute.path("Type").asString("String"),
                        attribute.path("Value").asString(""))));
        return published;
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
        return new ConversionException(NAME, "The body cannot be read as " + NAME + ": " + why, cause);
    }
}
