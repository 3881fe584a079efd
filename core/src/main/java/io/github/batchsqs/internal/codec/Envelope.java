/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.codec;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.SnsNotification;
import io.github.batchsqs.codec.ConversionException;
import java.util.Map;

/** The envelope that the sending service puts around the payload. */
public enum Envelope {

    /** No envelope: the body is the payload. */
    NONE {
        @Override
        public Content open(String body) {
            return new Content(body, Map.of());
        }
    },

    /**
     * A notification of Amazon SNS, or no envelope if the subscription has raw message delivery; see
     * {@link SnsEnvelope}.
     */
    SNS {
        @Override
        public Content open(String body) {
            SnsNotification<String> notification = SnsEnvelope.open(body);
            return notification == null
                    ? new Content(body, Map.of())
                    : new Content(notification.payload(), notification.attributes());
        }
    },

    /** An event of Amazon EventBridge; see {@link EventBridgeEnvelope}. */
    EVENT_BRIDGE {
        @Override
        public Content open(String body) {
            EventBridgeEnvelope.Event event = EventBridgeEnvelope.open(body);
            return new Content(event.detail(), event.fields());
        }
    };

    /**
     * Opens the envelope.
     *
     * @param body the body as SQS delivered it
     * @return the content of the envelope
     * @throws ConversionException if the body is not such an envelope
     */
    public abstract Content open(String body);

    /**
     * The content of an envelope.
     *
     * @param payload the payload as it was published
     * @param attributes the attributes on the envelope; empty without an envelope
     */
    public record Content(String payload, Map<String, MessageAttribute> attributes) {

        /** Copies the attributes. */
        public Content {
            attributes = Map.copyOf(attributes);
        }

        /** Returns the size, never the payload: it may be confidential. */
        @Override
        public String toString() {
            return "Content[" + payload.length() + " characters]";
        }
    }
}
