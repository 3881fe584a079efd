/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.codec;

import io.github.batchsqs.MessageAttribute;
import java.util.Map;

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
