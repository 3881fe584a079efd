/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.codec;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

/** What a body that is a JSON object may have of an envelope: its members that are texts, and one that is an object. */
final class EnvelopeFields {

    static final JsonMapper MAPPER = JsonMapper.shared();

    final Map<String, String> texts = new HashMap<>();

    /** The unchanged text of the object, not parsed and written again. */
    @Nullable
    String object;

    /**
     * Reads a body; one that is no object has no fields.
     *
     * @param name the name of the member that is an object
     * @throws tools.jackson.core.JacksonException if it is not JSON to its end; then there are the fields before that
     */
    void read(String body, String name) {
        try (JsonParser parser = MAPPER.createParser(body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return;
            }
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String member = parser.currentName();
                JsonToken value = parser.nextToken();
                if (value == JsonToken.VALUE_STRING) {
                    texts.put(member, parser.getString());
                    continue;
                }
                long start = parser.currentTokenLocation().getCharOffset();
                parser.skipChildren();
                if (value == JsonToken.START_OBJECT && member.equals(name)) {
                    object = body.substring(
                            (int) start, (int) parser.currentLocation().getCharOffset());
                }
            }
        }
    }
}
