/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client.sdk;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.internal.sdk.Digests;
import io.github.batchsqs.internal.sdk.IncompleteResponseException;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

/** Looks into the SDK's message when asked; of the attributes it keeps the converted map. */
final class SdkReceivedMessage implements ReceivedMessage {

    private final Message message;

    /** Converted on first use; two threads may convert twice, to equal immutable maps. */
    private volatile @Nullable Map<String, MessageAttribute> attributes;

    SdkReceivedMessage(Message message) {
        this.message = message;
    }

    /** Throws if the message lacks a part that SQS always sends. */
    void requireComplete() {
        IncompleteResponseException.required("MessageId", message.messageId());
        IncompleteResponseException.required("ReceiptHandle", message.receiptHandle());
        IncompleteResponseException.required("Body", message.body());
        for (MessageAttributeValue value : message.messageAttributes().values()) {
            if (value == null) {
                throw new IncompleteResponseException("The response has a message attribute without a value");
            }
            IncompleteResponseException.required("DataType", value.dataType());
            if (value.binaryValue() == null) {
                IncompleteResponseException.required("StringValue", value.stringValue());
            }
        }
    }

    /** Throws if the body or the attributes do not match their digests. */
    void requireDigests() {
        Digests.require(body(), message.md5OfBody(), attributes(), message.md5OfMessageAttributes());
    }

    @Override
    public String id() {
        return message.messageId();
    }

    @Override
    public String receiptHandle() {
        return message.receiptHandle();
    }

    @Override
    public String body() {
        return message.body();
    }

    @Override
    public Map<String, MessageAttribute> attributes() {
        Map<String, MessageAttribute> converted = attributes;
        if (converted == null) {
            converted = message.hasMessageAttributes() ? convert(message.messageAttributes()) : Map.of();
            attributes = converted;
        }
        return converted;
    }

    @Override
    public Map<String, String> systemAttributes() {
        return message.attributesAsStrings();
    }

    @Override
    public Object nativeMessage() {
        return message;
    }

    /** The id alone: body and attributes may be confidential. */
    @Override
    public String toString() {
        return "ReceivedMessage[" + id() + "]";
    }

    private static Map<String, MessageAttribute> convert(Map<String, MessageAttributeValue> values) {
        Map<String, MessageAttribute> converted = HashMap.newHashMap(values.size());
        for (Map.Entry<String, MessageAttributeValue> entry : values.entrySet()) {
            MessageAttributeValue value = entry.getValue();
            converted.put(
                    entry.getKey(),
                    value.binaryValue() != null
                            ? MessageAttribute.binary(
                                    value.dataType(), value.binaryValue().asByteArrayUnsafe())
                            : MessageAttribute.text(value.dataType(), value.stringValue()));
        }
        return Collections.unmodifiableMap(converted);
    }
}
