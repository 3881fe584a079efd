/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.signature;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.internal.codec.Envelope;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.Message;
import org.springframework.messaging.MessageHeaders;

/**
 * A received message as a Spring message, with the header names of Spring Cloud AWS.
 *
 * <p>The headers are created on demand: attributes have their own names, system attributes the prefix {@code Sqs_Msa_};
 * others are the queue, the receipt handle, the id and the SDK's message. Exceptions of Spring Messaging print their
 * message, so {@code toString} returns the id and nothing of payload and headers.
 */
final class ReceivedSpringMessage implements Message<Object> {

    private final SqsMessage<Object> message;
    private final Envelope envelope;
    private volatile @Nullable MessageHeaders headers;

    ReceivedSpringMessage(SqsMessage<Object> message, Envelope envelope) {
        this.message = message;
        this.envelope = envelope;
    }

    @Override
    public Object getPayload() {
        return message.payload();
    }

    @Override
    public MessageHeaders getHeaders() {
        MessageHeaders made = headers;
        if (made == null) {
            made = new ReceivedHeaders(
                    values(), uuid(message.id()), message.sentAt().toEpochMilli());
            headers = made;
        }
        return made;
    }

    private Map<String, Object> values() {
        Map<String, Object> values = new HashMap<>();
        message.attributes().forEach((name, attribute) -> values.put(name, value(attribute)));
        if (envelope != Envelope.NONE) {
            envelope.open(message.body()).attributes().forEach((name, attribute) -> values.put(name, value(attribute)));
        }
        message.systemAttributes().forEach((name, value) -> values.put("Sqs_Msa_" + name, value));
        values.put("Sqs_QueueName", message.queue());
        values.put("Sqs_ReceiptHandle", message.receiptHandle());
        values.put("Sqs_RawMessageId", message.id());
        values.put("Sqs_SourceData", message.nativeMessage());
        return values;
    }

    private static Object value(MessageAttribute attribute) {
        if (attribute.isBinary()) {
            return attribute.binaryValue();
        }
        return attribute.dataType().startsWith("Number") ? number(attribute) : attribute.stringValue();
    }

    /**
     * Returns the number in the Java type that a label such as {@code Number.int} or {@code Number.java.lang.Integer}
     * names.
     */
    private static Object number(MessageAttribute attribute) {
        String text = attribute.stringValue();
        String label = attribute.dataType().substring("Number".length());
        try {
            return switch (label.substring(label.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT)) {
                case "byte" -> Byte.valueOf(text);
                case "short" -> Short.valueOf(text);
                case "int", "integer" -> Integer.valueOf(text);
                case "long" -> Long.valueOf(text);
                case "float" -> Float.valueOf(text);
                case "double" -> Double.valueOf(text);
                default -> new BigDecimal(text);
            };
        } catch (NumberFormatException notThatNumber) {
            return text;
        }
    }

    /** Returns the id as a UUID. SQS assigns UUIDs; other servers need not. */
    private static UUID uuid(String id) {
        try {
            return UUID.fromString(id);
        } catch (IllegalArgumentException notAUuid) {
            return UUID.nameUUIDFromBytes(id.getBytes(StandardCharsets.UTF_8));
        }
    }

    @Override
    public String toString() {
        return "Message[" + message.id() + " from " + message.queue() + "]";
    }

    /** Makes Spring's constructor with an id accessible, which is for subclasses. */
    private static final class ReceivedHeaders extends MessageHeaders {

        private static final long serialVersionUID = 1L;

        ReceivedHeaders(Map<String, Object> values, UUID id, long timestamp) {
            super(values, id, timestamp);
        }
    }
}
