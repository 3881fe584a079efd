/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Makes strings of those of a JSON text in UTF-8. Used by one thread. */
final class JsonStrings {

    /** What the protocol's names and its most frequent values are: no string is made for these. */
    private static final String[][] KNOWN = byLength(List.of(
            "Messages",
            "MessageId",
            "ReceiptHandle",
            "MD5OfBody",
            "Body",
            "Attributes",
            "MessageAttributes",
            "MD5OfMessageAttributes",
            "SenderId",
            "SentTimestamp",
            "ApproximateReceiveCount",
            "ApproximateFirstReceiveTimestamp",
            "MessageGroupId",
            "MessageDeduplicationId",
            "SequenceNumber",
            "AWSTraceHeader",
            "DataType",
            "StringValue",
            "BinaryValue",
            "Successful",
            "Failed",
            "Id",
            "MD5OfMessageBody",
            "MD5OfMessageSystemAttributes",
            "Code",
            "Message",
            "SenderFault",
            "String",
            "Number",
            "Binary",
            "0",
            "1",
            "2",
            "3",
            "4",
            "5",
            "6",
            "7",
            "8",
            "9"));

    private final byte[] bytes;

    /** Characters below 256, as long as there is no other. */
    private byte[] narrow = {};

    private char[] wide = {};
    private int room;
    private int size;
    private boolean isWide;

    JsonStrings(byte[] bytes) {
        this.bytes = bytes;
    }

    private static String[][] byLength(List<String> words) {
        List<List<String>> byLength = new ArrayList<>();
        for (String word : words) {
            while (byLength.size() <= word.length()) {
                byLength.add(new ArrayList<>());
            }
            byLength.get(word.length()).add(word);
        }
        return byLength.stream().map(same -> same.toArray(String[]::new)).toArray(String[][]::new);
    }

    /** Returns the string of bytes below 128. */
    static String plain(byte[] bytes, int begin, int end) {
        return end - begin == 1
                ? known(bytes, begin, end)
                : new String(bytes, begin, end - begin, StandardCharsets.ISO_8859_1);
    }

    /** Returns the string of bytes below 128, which is likely to be one of the protocol's names. */
    static String known(byte[] bytes, int begin, int end) {
        int length = end - begin;
        if (length < KNOWN.length) {
            for (String word : KNOWN[length]) {
                if (isAt(bytes, begin, word)) {
                    return word;
                }
            }
        }
        return new String(bytes, begin, length, StandardCharsets.ISO_8859_1);
    }

    private static boolean isAt(byte[] bytes, int begin, String word) {
        for (int i = word.length() - 1; i >= 0; i--) { // most differ at their ends
            if (bytes[begin + i] != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the string that those bytes stand for.
     *
     * @throws UnreadableJsonException if there is an escape that JSON does not have, or if they are not UTF-8
     */
    String decoded(int begin, int end) {
        size = 0;
        isWide = false;
        room = end - begin; // no character takes less than a byte
        if (narrow.length < room) {
            narrow = new byte[room];
        }
        int i = begin;
        while (i < end) {
            int b = bytes[i];
            if (b == '\\') {
                i = escape(i + 1, end);
            } else if (b >= 0) {
                append((char) b);
                i++;
            } else {
                i = beyondAscii(i, end);
            }
        }
        return isWide ? new String(wide, 0, size) : new String(narrow, 0, size, StandardCharsets.ISO_8859_1);
    }

    /** Reads the escape behind a backslash. Returns the place behind it. */
    private int escape(int i, int end) {
        switch (bytes[i]) { // readString has seen to it that there is one
            case '"', '\\', '/' -> append((char) bytes[i]);
            case 'b' -> append('\b');
            case 'f' -> append('\f');
            case 'n' -> append('\n');
            case 'r' -> append('\r');
            case 't' -> append('\t');
            case 'u' -> {
                append(hex(i + 1, end));
                return i + 5;
            }
            default ->
                throw new UnreadableJsonException("The response has an escape that is none of JSON, at byte " + i);
        }
        return i + 1;
    }

    private char hex(int begin, int end) {
        int c = 0;
        for (int i = begin; i < begin + 4; i++) {
            int digit = i < end ? Character.digit(bytes[i], 16) : -1;
            if (digit < 0) {
                throw new UnreadableJsonException("The response has an escape without four digits, at byte " + begin);
            }
            c = (c << 4) | digit;
        }
        return (char) c;
    }

    /** Reads a character above 127, as leniently as the SDK's parser does. Returns the place behind it. */
    private int beyondAscii(int begin, int end) {
        int lead = bytes[begin] & 0xFF;
        if (lead < 0xC0 || lead > 0xF7) {
            throw noUtf8(begin);
        }
        int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
        int c = lead & (0x3F >> more);
        for (int i = begin + 1; i <= begin + more; i++) {
            if (i >= end || (bytes[i] & 0xC0) != 0x80) {
                throw noUtf8(begin);
            }
            c = (c << 6) | (bytes[i] & 0x3F);
        }
        if (more == 3) {
            c -= Character.MIN_SUPPLEMENTARY_CODE_POINT;
            append((char) (Character.MIN_HIGH_SURROGATE | (c >> 10)));
            append((char) (Character.MIN_LOW_SURROGATE | (c & 0x3FF)));
        } else if (Character.isSurrogate((char) c)) {
            throw noUtf8(begin);
        } else {
            append((char) c);
        }
        return begin + 1 + more;
    }

    private static UnreadableJsonException noUtf8(int place) {
        return new UnreadableJsonException("The response is not in UTF-8 at byte " + place);
    }

    private void append(char c) {
        if (!isWide && c < 256) {
            narrow[size++] = (byte) c;
            return;
        }
        if (!isWide) {
            widen();
        }
        wide[size++] = c;
    }

    private void widen() {
        isWide = true;
        if (wide.length < room) {
            wide = new char[room];
        }
        for (int i = 0; i < size; i++) {
            wide[i] = (char) (narrow[i] & 0xFF);
        }
    }
}
