/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** SHA-256, HMAC and the text that they read, made once and used again. One thread uses them at a time. */
final class SigningTools {

    private static final String HMAC = "HmacSHA256";
    private static final HexFormat HEX = HexFormat.of();

    private final MessageDigest sha256;

    private byte[] text = new byte[2 << 10];
    private int length;
    private @Nullable Mac mac;
    private byte @Nullable [] keyOfMac;

    SigningTools() {
        try {
            sha256 = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    /** Returns a fresh HMAC-SHA256 with that key. */
    static Mac mac(byte[] key) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            return mac;
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("Every Java platform has HmacSHA256, for any key", e);
        }
    }

    String sha256(byte[] bytes) {
        return HEX.formatHex(sha256.digest(bytes));
    }

    /** Appends to the text that is hashed next. */
    SigningTools text(String more) {
        int size = more.length();
        if (text.length - length < size) {
            text = Arrays.copyOf(text, 2 * (length + size));
        }
        for (int i = 0; i < size; i++) {
            char c = more.charAt(i);
            if (c >= 0x80) {
                return bytes(more.getBytes(StandardCharsets.UTF_8));
            }
            text[length + i] = (byte) c;
        }
        length += size;
        return this;
    }

    SigningTools bytes(byte[] more) {
        if (text.length - length < more.length) {
            text = Arrays.copyOf(text, 2 * (length + more.length));
        }
        System.arraycopy(more, 0, text, length, more.length);
        length += more.length;
        return this;
    }

    /** Returns the digest of the text, in hexadecimal, and clears the text. */
    String sha256() {
        sha256.update(text, 0, length);
        length = 0;
        return HEX.formatHex(sha256.digest());
    }

    /** Returns the HMAC of the text, in hexadecimal, and clears the text. A key is known by the array that holds it. */
    @SuppressWarnings("ReferenceEquality")
    String hmac(byte[] key) {
        Mac known = mac;
        if (known == null || keyOfMac != key) {
            known = mac(key);
            mac = known;
            keyOfMac = key;
        }
        known.update(text, 0, length);
        length = 0;
        return HEX.formatHex(known.doFinal());
    }
}
