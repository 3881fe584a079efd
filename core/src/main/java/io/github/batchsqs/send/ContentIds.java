/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import io.github.batchsqs.codec.CanonicalJson;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
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
 * <p>Never takes two different contents for one: what is not plain I-JSON counts as the text that it is, and numbers that
 * a double does not hold count with all their digits. The worst that a strange body can do is not to be recognised as
 * equal.
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
        MessageDigest digest = sha256();
        String group = message.groupId();
        update(digest, group == null ? "" : group);
        CanonicalJson json = canonical(body);
        if (json == null) {
            update(digest, body);
        } else {
            update(digest, json.text());
            update(digest, json.exactNumbers());
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static @Nullable CanonicalJson canonical(String body) {
        if (!mayBeContainer(body)) {
            return null;
        }
        try {
            JsonNode root = READER.readValue(body);
            return root.isContainer() ? CanonicalJson.of(root) : null;
        } catch (JacksonException | CanonicalJson.NotCanonicalException e) {
            return null;
        }
    }

    private static boolean mayBeContainer(String body) {
        for (int i = 0; i < body.length(); i++) {
            char c = body.charAt(i);
            if (c != ' ' && c != '\t' && c != '\n' && c != '\r') {
                return c == '{' || c == '[';
            }
        }
        return false;
    }

    /** The length goes first, so that no two sequences of parts look alike. */
    private static void update(MessageDigest digest, String part) {
        byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
        digest.update((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
        digest.update(bytes);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }
}
