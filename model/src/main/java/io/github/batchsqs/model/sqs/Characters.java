/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.sqs;

/** Which characters SQS accepts in a body: {@code #x9 #xA #xD #x20-#xD7FF #xE000-#xFFFD #x10000-#x10FFFF}. */
public final class Characters {

    private Characters() {}

    /** Whether all characters are accepted; a surrogate without its other half is not. */
    public static boolean accepted(String text) {
        return text.codePoints().allMatch(Characters::accepted);
    }

    /** The same for valid UTF-8. */
    public static boolean accepted(byte[] utf8) {
        for (int i = 0; i < utf8.length; i++) {
            byte b = utf8[i];
            if (b >= 0 && b < ' ' && b != '\t' && b != '\n' && b != '\r') {
                return false;
            }
            if (b == (byte) 0xEF && i + 2 < utf8.length && utf8[i + 1] == (byte) 0xBF && utf8[i + 2] >= (byte) 0xBE) {
                return false; // U+FFFE and U+FFFF
            }
        }
        return true;
    }

    private static boolean accepted(int c) {
        return c == 0x9
                || c == 0xA
                || c == 0xD
                || (c >= 0x20 && c <= 0xD7FF)
                || (c >= 0xE000 && c <= 0xFFFD)
                || c >= 0x10000;
    }
}
