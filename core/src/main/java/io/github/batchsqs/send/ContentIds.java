/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import io.github.batchsqs.internal.support.Hashes;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.json.JsonMapper;

/**
 * Deduplication ids from group and content.
 *
 * <p>Never takes two different contents for one: what Jackson does not read as an object or array counts as the text that it is,
 * and numbers count with all their digits. The worst that a strange body can do is not to be recognised as equal.
 */
final class ContentIds {

    private static final ObjectReader READER = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build()
            .readerFor(JsonNode.class);

    private ContentIds() {}

    static String idOf(OutgoingMessage message, String body) {
        MessageDigest digest = Hashes.sha256();
        String group = message.groupId();
        update(digest, group == null ? "" : group);
        String json = canonical(body);
        update(digest, json == null ? "text" : "json");
        update(digest, json == null ? body : json);
        return HexFormat.of().formatHex(digest.digest());
    }

    private static @Nullable String canonical(String body) {
        String start = body.stripLeading();
        if (!start.startsWith("{") && !start.startsWith("[")) {
            return null;
        }
        try {
            JsonNode root = READER.readValue(body);
            StringBuilder form = new StringBuilder(body.length());
            write(root, form);
            return root.isContainer() ? form.toString() : null;
        } catch (JacksonException | ArithmeticException e) { // a number beyond all bounds, too
            return null;
        }
    }

    /**
     * Writes a form that two values share only if they are equal: members sorted by name, names and texts after their length, numbers
     * by all of their digits.
     */
    private static void write(JsonNode value, StringBuilder form) {
        switch (value.getNodeType()) {
            case OBJECT -> {
                form.append('{');
                value.propertyNames().stream().sorted().forEach(name -> {
                    write(name, form);
                    write(value.get(name), form);
                });
                form.append('}');
            }
            case ARRAY -> {
                form.append('[');
                value.forEach(element -> write(element, form));
                form.append(']');
            }
            case STRING -> write(value.stringValue(), form);
            case NUMBER ->
                form.append('#')
                        .append(value.decimalValue().stripTrailingZeros())
                        .append(';');
            default -> form.append(value.asString()).append(';'); // true, false, null
        }
    }

    private static void write(String text, StringBuilder form) {
        form.append(text.length()).append(':').append(text);
    }

    /** The length goes first, so that no two sequences of parts look alike; UTF-16, because UTF-8 has no unpaired surrogates. */
    private static void update(MessageDigest digest, String part) {
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES + Character.BYTES * part.length());
        bytes.putInt(part.length()).asCharBuffer().put(part);
        digest.update(bytes.rewind());
    }
}
