/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.codec;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.codec.ConversionException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

/**
 * The JSON that EventBridge delivers to a queue: an object with {@code source}, {@code detail-type} and {@code detail}.
 * The detail is the payload.
 *
 * <p>The payload is the unchanged text of the detail, not parsed and written again. The other textual fields
 * ({@code id}, {@code source}, {@code detail-type}, {@code account}, {@code time}, {@code region}) are the attributes.
 */
final class EventBridgeEnvelope {

    private static final JsonMapper MAPPER = JsonMapper.shared();
    private static final String NAME = "an EventBridge event";

    private EventBridgeEnvelope() {}

    /** The text of the detail, and the other textual fields. */
    record Event(String detail, Map<String, MessageAttribute> fields) {}

    /**
     * Opens the envelope.
     *
     * @throws ConversionException if the body is not such an object
     */
    static Event open(String body) {
        String detail = null;
        Map<String, MessageAttribute> fields = new HashMap<>();
        try (JsonParser parser = MAPPER.createParser(body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw refused(null);
            }
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                JsonToken value = parser.nextToken();
                if (value == JsonToken.VALUE_STRING) {
                    fields.put(name, MessageAttribute.string(parser.getString()));
                } else if (value == JsonToken.START_OBJECT && name.equals("detail")) {
                    detail = object(parser, body);
                } else {
                    parser.skipChildren();
                }
            }
        } catch (JacksonException notJson) {
            throw refused(notJson);
        }
        if (detail == null || !fields.containsKey("source") || !fields.containsKey("detail-type")) {
            throw refused(null);
        }
        return new Event(detail, fields);
    }

    /** Returns the unchanged text of the object at the parser's position. */
    private static String object(JsonParser parser, String body) {
        long start = parser.currentTokenLocation().getCharOffset();
        parser.skipChildren();
        return body.substring((int) start, (int) parser.currentLocation().getCharOffset());
    }

    private static ConversionException refused(@Nullable Throwable cause) {
        return new ConversionException(
                NAME,
                "The body cannot be read as " + NAME
                        + ": it must be a JSON object with the texts source and detail-type"
                        + " and the object detail; a rule with an input transformer sends no envelope, which needs"
                        + " payload.envelope: none",
                cause);
    }
}
