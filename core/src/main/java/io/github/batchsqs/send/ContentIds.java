/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import io.github.batchsqs.internal.support.Hashes;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ValueNode;

/**
 * Deduplication ids from group and content.
 *
 * <p>Never takes two different contents for one: what Jackson does not read as an object or array counts as the text that it is,
 * and numbers count with all their digits. The worst that a strange body can do is not to be recognised as equal.
 */
final class ContentIds {

    /**
     * Writes a form that two values share only if they are equal: members sorted by name, numbers by their digits without the zeros at
     * the end, and an exponent, so that none takes much more space than in the body. It must be the same with every version of Jackson.
     */
    private static final JsonMapper CANONICAL = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .enable(DeserializationFeature.USE_BIG_INTEGER_FOR_INTS)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .enable(JsonNodeFeature.WRITE_PROPERTIES_SORTED)
            .disable(JsonWriteFeature.ESCAPE_FORWARD_SLASHES)
            .nodeFactory(new JsonNodeFactory() {
                @Override
                public ValueNode numberNode(BigInteger value) { // as 100 equals 1e2
                    return numberNode(new BigDecimal(value).stripTrailingZeros());
                }
            })
            .build();

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
            return CANONICAL.writeValueAsString(CANONICAL.readTree(body));
        } catch (JacksonException | NumberFormatException e) { // a number beyond all bounds, too
            return null;
        }
    }

    /** The length goes first, so that no two sequences of parts look alike; UTF-16, because UTF-8 has no unpaired surrogates. */
    private static void update(MessageDigest digest, String part) {
        ByteBuffer bytes = ByteBuffer.allocate(Integer.BYTES + Character.BYTES * part.length());
        bytes.putInt(part.length()).asCharBuffer().put(part);
        digest.update(bytes.rewind());
    }
}
