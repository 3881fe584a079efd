/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.github.batchsqs.internal.support.Hashes;
import java.util.HexFormat;

/** The digest of a text, for columns that are shorter than the text. */
public final class Digest {

    private Digest() {}

    /** Returns the SHA-256 of a text: 64 hexadecimal digits. */
    public static String of(String text) {
        return HexFormat.of().formatHex(Hashes.sha256().digest(text.getBytes(UTF_8)));
    }
}
