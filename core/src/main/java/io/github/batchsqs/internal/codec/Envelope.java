/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.codec;

import io.github.batchsqs.SnsNotification;
import io.github.batchsqs.codec.ConversionException;
import java.util.Map;

/** The envelope that the sending service puts around the payload. */
public enum Envelope {

    /** No envelope: the body is the payload. */
    NONE,

    /**
     * A notification of Amazon SNS, or no envelope if the subscription has raw message delivery; see
     * {@link SnsEnvelope}.
     */
    SNS,

    /** An event of Amazon EventBridge; see {@link EventBridgeEnvelope}. */
    EVENT_BRIDGE;

    /**
     * Opens the envelope.
     *
     * @param body the body as SQS delivered it
     * @return the content of the envelope
     * @throws ConversionException if the body is not such an envelope
     */
    public Content open(String body) {
        SnsNotification<String> notification = this == SNS ? SnsEnvelope.open(body) : null;
        if (notification != null) {
            return new Content(notification.payload(), notification.attributes());
        }
        return this == EVENT_BRIDGE ? EventBridgeEnvelope.open(body) : new Content(body, Map.of());
    }
}
