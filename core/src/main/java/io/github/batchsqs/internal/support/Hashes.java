/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Makes the digests that every Java platform has. */
public final class Hashes {

    private Hashes() {}

    /** Returns a new SHA-256. */
    public static MessageDigest sha256() {
        return of("SHA-256");
    }

    /** Returns the SHA-256 of a text in UTF-8: 64 hexadecimal digits. */
    public static String sha256(String text) {
        return HexFormat.of().formatHex(sha256().digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Returns a new MD5. */
    public static MessageDigest md5() {
        return of("MD5");
    }

    private static MessageDigest of(String algorithm) {
        try {
            return MessageDigest.getInstance(algorithm);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has " + algorithm, e);
        }
    }
}
