/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.client.ReceivedMessage;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

/** A message with its payload as the body, and without the attribute that marks the pointer. */
final class ResolvedMessage implements ReceivedMessage {

    private final ReceivedMessage message;
    private final String body;

    ResolvedMessage(ReceivedMessage message, String body) {
        this.message = message;
        this.body = body;
    }

    @Override
    public String id() {
        return message.id();
    }

    @Override
    public String receiptHandle() {
        return message.receiptHandle();
    }

    @Override
    public String body() {
        return body;
    }

    @Override
    public Map<String, MessageAttribute> attributes() {
        return Collections.unmodifiableMap(withoutMarker(message.attributes()));
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

    /** The digests are those of the pointer, so they are left out. */
    @Override
    public Object nativeMessage() {
        if (!(message.nativeMessage() instanceof Message sdk)) {
            return message.nativeMessage();
        }
        Map<String, MessageAttributeValue> attributes = withoutMarker(sdk.messageAttributes());
        return sdk.toBuilder()
                .body(body)
                .md5OfBody(null)
                .messageAttributes(attributes)
                .md5OfMessageAttributes(null)
                .build();
    }

    private static <V> Map<String, V> withoutMarker(Map<String, V> attributes) {
        Map<String, V> others = new HashMap<>(attributes);
        others.remove(Pointer.MARKER);
        others.remove(Pointer.LEGACY_MARKER);
        return others;
    }

    /** The id alone: body and attributes may be confidential. */
    @Override
    public String toString() {
        return "ReceivedMessage[" + id() + "]";
    }
}
