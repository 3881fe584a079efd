/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.codec;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.codec.ConversionException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * The JSON that EventBridge delivers to a queue: an object with {@code source}, {@code detail-type} and {@code detail}.
 * The detail is the payload.
 *
 * <p>The payload is the unchanged text of the detail, not parsed and written again. The other textual fields
 * ({@code id}, {@code source}, {@code detail-type}, {@code account}, {@code time}, {@code region}) are the attributes.
 */
final class EventBridgeEnvelope {

    private EventBridgeEnvelope() {}

    /**
     * Opens the envelope.
     *
     * @throws ConversionException if the body is not such an object
     */
    static Content open(String body) {
        EnvelopeFields read = new EnvelopeFields();
        try {
            read.read(body, "detail");
        } catch (JacksonException notJson) {
            throw refused(notJson);
        }
        String detail = read.object;
        if (detail == null || !read.texts.containsKey("source") || !read.texts.containsKey("detail-type")) {
            throw refused(null);
        }
        Map<String, MessageAttribute> fields = new HashMap<>();
        read.texts.forEach((name, text) -> fields.put(name, MessageAttribute.string(text)));
        return new Content(detail, fields);
    }

    private static ConversionException refused(@Nullable Throwable cause) {
        return new ConversionException(
                "The body cannot be read as an EventBridge event: it must be a JSON object with the texts source and detail-type"
                        + " and the object detail; a rule with an input transformer sends no envelope, which needs"
                        + " payload.envelope: none",
                cause);
    }
}
