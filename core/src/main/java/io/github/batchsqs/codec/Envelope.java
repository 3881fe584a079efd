/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.codec;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.SnsNotification;
import java.util.Map;

/** What the service that sent a message put around the payload. */
public enum Envelope {

    /** Nothing: the body is the payload. */
    NONE {
        @Override
        public Content open(String body) {
            return new Content(body, Map.of());
        }
    },

    /** A notification of Amazon SNS, or nothing if the subscription has raw message delivery; see {@link SnsEnvelope}. */
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
            return EventBridgeEnvelope.open(body);
        }
    };

    /**
     * What is in the envelope.
     *
     * @throws ConversionException if the body is not such an envelope
     */
    public abstract Content open(String body);

    /**
     * What is in an envelope.
     *
     * @param payload the payload as it was published
     * @param attributes what stands on the envelope beside it; empty without an envelope
     */
    public record Content(String payload, Map<String, MessageAttribute> attributes) {

        public Content {
            attributes = Map.copyOf(attributes);
        }

        /** The size, never the payload: it may be confidential. */
        @Override
        public String toString() {
            return "Content[" + payload.length() + " characters]";
        }
    }
}
