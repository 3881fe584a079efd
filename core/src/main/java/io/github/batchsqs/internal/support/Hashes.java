/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Makes the digests that every Java platform has. */
public final class Hashes {

    private Hashes() {}

    /** Returns a new SHA-256. */
    public static MessageDigest sha256() {
        return of("SHA-256");
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
