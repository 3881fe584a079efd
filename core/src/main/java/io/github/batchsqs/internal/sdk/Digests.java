/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.sdk;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.internal.support.Hashes;
import io.github.batchsqs.internal.support.Spares;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** MD5 as SQS uses it to show that nothing was changed on its way; it has no part in security. */
public final class Digests {

    /** The code of a message that SQS took, but did not store as it was sent. */
    public static final String MISMATCH = "DigestMismatch";

    private static final byte TEXT = 1;
    private static final byte BINARY = 2;
    private static final HexFormat HEX = HexFormat.of();

    private static final Spares<MessageDigest> MD5 = new Spares<>(Hashes::md5);

    /** For short bodies, which are copied to no array of their own. */
    private static final Spares<byte[]> BUFFERS = new Spares<>(() -> new byte[4 << 10]);

    private Digests() {}

    public static String ofBody(String body) {
        return HEX.formatHex(bytesOfBody(body));
    }

    /** Returns whether the digest, in hexadecimal, is that of the body. */
    public static boolean isOfBody(String body, @Nullable String digest) {
        byte[] calculated = bytesOfBody(body);
        if (digest == null || digest.length() != 2 * calculated.length) {
            return false;
        }
        for (int i = 0; i < calculated.length; i++) {
            if (digest.charAt(2 * i) != HEX.toHighHexDigit(calculated[i])
                    || digest.charAt(2 * i + 1) != HEX.toLowHexDigit(calculated[i])) {
                return false;
            }
        }
        return true;
    }

    private static byte[] bytesOfBody(String body) {
        MessageDigest md5 = MD5.take();
        byte[] buffer = BUFFERS.take();
        int ascii = 0;
        while (ascii < body.length() && ascii < buffer.length && body.charAt(ascii) < 0x80) {
            buffer[ascii] = (byte) body.charAt(ascii);
            ascii++;
        }
        md5.update(buffer, 0, ascii);
        BUFFERS.giveBack(buffer);
        byte[] digest = ascii == body.length()
                ? md5.digest()
                : md5.digest(body.substring(ascii).getBytes(StandardCharsets.UTF_8));
        MD5.giveBack(md5);
        return digest;
    }

    /** By name: length and bytes of the name, of the type and of the value, which a byte for its kind precedes. */
    public static String ofAttributes(Map<String, MessageAttribute> attributes) {
        MessageDigest digest = MD5.take();
        for (Map.Entry<String, MessageAttribute> entry : new TreeMap<>(attributes).entrySet()) {
            MessageAttribute attribute = entry.getValue();
            update(digest, entry.getKey().getBytes(StandardCharsets.UTF_8));
            update(digest, attribute.dataType().getBytes(StandardCharsets.UTF_8));
            digest.update(attribute.isBinary() ? BINARY : TEXT);
            update(
                    digest,
                    attribute.isBinary()
                            ? attribute.binaryValue()
                            : attribute.stringValue().getBytes(StandardCharsets.UTF_8));
        }
        String text = HEX.formatHex(digest.digest());
        MD5.giveBack(digest); // not after a failure, in the midst of a digest
        return text;
    }

    private static void update(MessageDigest digest, byte[] bytes) {
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
        digest.update(bytes);
    }

    /** Returns which digest of a response is not that of the body, or of the attributes if there are any; {@code null} if all are right. */
    public static @Nullable String difference(
            String body,
            @Nullable String bodyDigest,
            Map<String, MessageAttribute> attributes,
            @Nullable String attributesDigest) {
        if (!isOfBody(body, bodyDigest)) {
            return difference("body", ofBody(body), bodyDigest);
        }
        String calculated = attributes.isEmpty() ? null : ofAttributes(attributes);
        return calculated == null || calculated.equals(attributesDigest)
                ? null
                : difference("attributes", calculated, attributesDigest);
    }

    private static String difference(String part, String calculated, @Nullable String returned) {
        return "the MD5 digest of the message " + part + " is " + calculated + ", but SQS's response has " + returned;
    }
}
