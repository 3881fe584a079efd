/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.sdk;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.ReceivedMessage;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

/**
 * Holds what was read; maps and the SDK's own object are made when asked for.
 *
 * @param system the system attributes: alternating names and values, until the end or {@code null}
 * @param attributes the message attributes, which nobody changes
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares messages
public record ParsedMessage(
        String id,
        String receiptHandle,
        String body,
        @Nullable String bodyDigest,
        String[] system,
        Map<String, MessageAttribute> attributes,
        @Nullable String attributesDigest)
        implements ReceivedMessage {

    /**
     * Holds what a message of the SDK has.
     *
     * @throws UnexpectedResponseException if id, receipt handle or body are missing
     */
    public static ParsedMessage of(Message message) {
        List<String> system = new ArrayList<>();
        message.attributesAsStrings().forEach((name, value) -> {
            if (value != null) {
                system.addAll(List.of(name, value));
            }
        });
        Map<String, MessageAttribute> attributes = new HashMap<>();
        message.messageAttributes().forEach((name, value) -> {
            if (value == null) {
                throw new UnexpectedResponseException("The response has a message attribute without a value");
            }
            SdkBytes bytes = value.binaryValue();
            attributes.put(
                    name,
                    attribute(value.dataType(), value.stringValue(), bytes == null ? null : bytes.asByteArrayUnsafe()));
        });
        return new ParsedMessage(
                UnexpectedResponseException.required("MessageId", message.messageId()),
                UnexpectedResponseException.required("ReceiptHandle", message.receiptHandle()),
                UnexpectedResponseException.required("Body", message.body()),
                message.md5OfBody(),
                system.toArray(String[]::new),
                Collections.unmodifiableMap(attributes),
                message.md5OfMessageAttributes());
    }

    /** Returns an attribute, which has bytes or a text. */
    public static MessageAttribute attribute(@Nullable String type, @Nullable String text, byte @Nullable [] bytes) {
        String dataType = UnexpectedResponseException.required("DataType", type);
        return bytes != null
                ? MessageAttribute.binary(dataType, bytes)
                : MessageAttribute.text(dataType, UnexpectedResponseException.required("StringValue", text));
    }

    @Override
    public Map<String, String> systemAttributes() {
        Map<String, String> map = HashMap.newHashMap(system.length / 2);
        for (int i = 0; i < system.length && system[i] != null; i += 2) {
            map.put(system[i], system[i + 1]);
        }
        return Collections.unmodifiableMap(map);
    }

    @Override
    public @Nullable String systemAttribute(String name) {
        for (int i = system.length - 2; i >= 0; i -= 2) { // of two that are equal, the last one counts
            if (name.equals(system[i])) {
                return system[i + 1];
            }
        }
        return null;
    }

    @Override
    public Object nativeMessage() {
        return Message.builder()
                .messageId(id)
                .receiptHandle(receiptHandle)
                .body(body)
                .md5OfBody(bodyDigest)
                .md5OfMessageAttributes(attributesDigest)
                .attributesWithStrings(systemAttributes())
                .messageAttributes(sdkAttributes(attributes))
                .build();
    }

    /** The id alone: body and attributes may be confidential. */
    @Override
    public String toString() {
        return "ReceivedMessage[" + id + "]";
    }

    /** Returns attributes as the SDK has them. */
    static Map<String, MessageAttributeValue> sdkAttributes(Map<String, MessageAttribute> attributes) {
        Map<String, MessageAttributeValue> values = HashMap.newHashMap(attributes.size());
        attributes.forEach((name, attribute) -> values.put(name, sdkValue(attribute)));
        return values;
    }

    private static MessageAttributeValue sdkValue(MessageAttribute attribute) {
        MessageAttributeValue.Builder value = MessageAttributeValue.builder().dataType(attribute.dataType());
        return attribute.isBinary()
                ? value.binaryValue(SdkBytes.fromByteArrayUnsafe(attribute.binaryValue()))
                        .build()
                : value.stringValue(attribute.stringValue()).build();
    }
}
