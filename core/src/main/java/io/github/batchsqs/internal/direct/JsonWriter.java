/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import io.github.batchsqs.internal.support.Spares;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import software.amazon.awssdk.core.exception.NonRetryableException;

/** Writes JSON in UTF-8 into a buffer that is used again: parts that are always the same as they are, values escaped. */
final class JsonWriter {

    private static final Spares<JsonWriter> SPARES = new Spares<>(JsonWriter::new);

    /** A buffer above this size is not kept for the next request. */
    private static final int LARGEST_SPARE = 64 << 10;

    private static final int LONGEST_ESCAPE = 6;
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private byte[] bytes = new byte[4 << 10];
    private int length;

    private JsonWriter() {}

    /** Returns an empty one, which nobody else uses until {@link #giveBack}. */
    static JsonWriter take() {
        return SPARES.take();
    }

    /** Begins anew. */
    JsonWriter clear() {
        length = 0;
        return this;
    }

    /** Ends its use, so that the next {@link #take} may return it. */
    void giveBack() {
        JsonWriter unused = clear();
        if (bytes.length <= LARGEST_SPARE) {
            SPARES.giveBack(this);
        }
    }

    /** Returns what was written, to be read once: its first close {@linkplain #giveBack gives this back}. */
    InputStream stream() {
        return new ByteArrayInputStream(bytes, 0, length) {
            @Override
            public void close() {
                if (count > 0) { // not again, when another request may be in the same bytes
                    count = 0;
                    giveBack();
                }
            }
        };
    }

    int length() {
        return length;
    }

    byte[] digest(MessageDigest digest) {
        digest.update(bytes, 0, length);
        return digest.digest();
    }

    byte[] code(Mac mac) {
        mac.update(bytes, 0, length);
        return mac.doFinal();
    }

    /** Appends characters below 256, each as a byte. */
    JsonWriter raw(String latin1) {
        int size = latin1.length();
        ensure(size);
        for (int i = 0; i < size; i++) {
            bytes[length++] = (byte) latin1.charAt(i);
        }
        return this;
    }

    JsonWriter number(int value) {
        return raw(Integer.toString(value));
    }

    JsonWriter base64(byte[] value) {
        return raw("\"").raw(Base64.getEncoder().encodeToString(value)).raw("\"");
    }

    /**
     * Appends a string with its quotes.
     *
     * @throws NonRetryableException if it has an unpaired surrogate
     */
    JsonWriter text(String value) {
        int size = value.length();
        ensure(size + 2);
        bytes[length++] = '"';
        for (int i = 0; i < size; i++) {
            char c = value.charAt(i);
            if (c >= ' ' && c < 0x80 && c != '"' && c != '\\') {
                bytes[length++] = (byte) c;
                continue;
            }
            ensure(LONGEST_ESCAPE + size - i);
            if (c < 0x80) {
                escape(c);
            } else if (!Character.isSurrogate(c)) {
                twoOrThree(c);
            } else if (Character.isHighSurrogate(c) && i + 1 < size && Character.isLowSurrogate(value.charAt(i + 1))) {
                i++;
                four(Character.toCodePoint(c, value.charAt(i)));
            } else {
                throw NonRetryableException.create("A text of the request has an unpaired surrogate at " + i);
            }
        }
        bytes[length++] = '"';
        return this;
    }

    private void escape(char c) {
        bytes[length++] = '\\';
        int letter = switch (c) {
            case '"', '\\' -> c;
            case '\n' -> 'n';
            case '\r' -> 'r';
            case '\t' -> 't';
            default -> 'u';
        };
        bytes[length++] = (byte) letter;
        if (letter == 'u') {
            bytes[length++] = '0';
            bytes[length++] = '0';
            bytes[length++] = HEX[c >> 4];
            bytes[length++] = HEX[c & 0xF];
        }
    }

    private void twoOrThree(int c) {
        if (c < 0x800) {
            bytes[length++] = (byte) (0xC0 | (c >> 6));
        } else {
            bytes[length++] = (byte) (0xE0 | (c >> 12));
            bytes[length++] = (byte) (0x80 | ((c >> 6) & 0x3F));
        }
        bytes[length++] = (byte) (0x80 | (c & 0x3F));
    }

    private void four(int c) {
        bytes[length++] = (byte) (0xF0 | (c >> 18));
        bytes[length++] = (byte) (0x80 | ((c >> 12) & 0x3F));
        bytes[length++] = (byte) (0x80 | ((c >> 6) & 0x3F));
        bytes[length++] = (byte) (0x80 | (c & 0x3F));
    }

    /** Makes room for as many more bytes and a closing quote. */
    private void ensure(int more) {
        if (bytes.length - length <= more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more + 1));
        }
    }
}
