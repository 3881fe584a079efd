/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.batchsqs.MessageAttribute;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Message attributes as ASCII text: a line for each, with its name, its type, {@code T} or {@code B}, and its value, in Base64. */
final class AttributeText {

    private static final Base64.Encoder ENCODER = Base64.getEncoder();
    private static final Base64.Decoder DECODER = Base64.getDecoder();

    private AttributeText() {}

    static @Nullable String of(Map<String, MessageAttribute> attributes) {
        var text = new StringBuilder();
        attributes.forEach((name, attribute) -> {
            boolean binary = attribute.isBinary();
            text.append(encoded(name)).append(' ').append(encoded(attribute.dataType()));
            text.append(binary ? " B " : " T ");
            text.append(binary ? ENCODER.encodeToString(attribute.binaryValue()) : encoded(attribute.stringValue()));
            text.append('\n');
        });
        return text.isEmpty() ? null : text.toString();
    }

    static Map<String, MessageAttribute> attributes(@Nullable String text) {
        if (text == null) {
            return Map.of();
        }
        Map<String, MessageAttribute> attributes = new LinkedHashMap<>();
        text.lines().forEach(line -> {
            String[] parts = line.split(" ", -1);
            String type = decoded(parts[1]);
            attributes.put(
                    decoded(parts[0]),
                    parts[2].equals("B")
                            ? MessageAttribute.binary(type, DECODER.decode(parts[3]))
                            : MessageAttribute.text(type, decoded(parts[3])));
        });
        return attributes;
    }

    private static String encoded(String text) {
        return ENCODER.encodeToString(text.getBytes(UTF_8));
    }

    private static String decoded(String text) {
        return new String(DECODER.decode(text), UTF_8);
    }
}
