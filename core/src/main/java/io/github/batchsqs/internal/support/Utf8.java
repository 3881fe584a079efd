/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

/** UTF-8 lengths without encoding: SQS counts bytes, and a body may be a megabyte. */
public final class Utf8 {

    private Utf8() {}

    /** The number of bytes that the text takes in UTF-8; an unpaired surrogate counts as the one-byte {@code ?}. */
    public static int length(CharSequence text) {
        int bytes = 0;
        int chars = text.length();
        for (int i = 0; i < chars; i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                bytes++;
            } else if (c < 0x800) {
                bytes += 2;
            } else if (!Character.isSurrogate(c)) {
                bytes += 3;
            } else if (Character.isHighSurrogate(c) && i + 1 < chars && Character.isLowSurrogate(text.charAt(i + 1))) {
                bytes += 4;
                i++;
            } else {
                bytes++;
            }
        }
        return bytes;
    }
}
