/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.internal.codec.ForwardingMessage;
import io.github.batchsqs.internal.support.PayloadPointers;
import java.util.Map;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

/** A message with its payload as the body, and without the attribute that marks the pointer. */
final class ResolvedMessage extends ForwardingMessage {

    private final String body;

    ResolvedMessage(ReceivedMessage message, String body) {
        super(message);
        this.body = body;
    }

    @Override
    public String body() {
        return body;
    }

    @Override
    public Map<String, MessageAttribute> attributes() {
        return PayloadPointers.withoutMarkers(super.attributes());
    }

    /** The digests are those of the pointer, so they are left out. */
    @Override
    public Object nativeMessage() {
        if (!(super.nativeMessage() instanceof Message sdk)) {
            return super.nativeMessage();
        }
        Map<String, MessageAttributeValue> attributes = PayloadPointers.withoutMarkers(sdk.messageAttributes());
        return sdk.toBuilder()
                .body(body)
                .md5OfBody(null)
                .messageAttributes(attributes)
                .md5OfMessageAttributes(null)
                .build();
    }
}
