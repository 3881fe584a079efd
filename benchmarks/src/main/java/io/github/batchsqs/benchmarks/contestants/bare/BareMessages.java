/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.contestants.bare;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a client must know of a response to {@code ReceiveMessage}.
 *
 * @param bodies of the messages
 * @param handles their receipt handles, as the JSON has them
 */
record BareMessages(List<String> bodies, List<String> handles) {

    private static final byte[] BODY = "Body".getBytes(StandardCharsets.UTF_8);
    private static final byte[] HANDLE = "ReceiptHandle".getBytes(StandardCharsets.UTF_8);
    private static final int HEX = 16;

    /** Reads strings and what precedes them; all else is passed over. */
    static BareMessages read(byte[] json) {
        BareMessages messages = new BareMessages(new ArrayList<>(10), new ArrayList<>(10));
        int nameFrom = 0;
        int nameTo = 0;
        for (int i = 0; i < json.length; i++) {
            if (json[i] != '"') {
                continue;
            }
            int from = i + 1;
            int to = endOfString(json, from);
            if (to + 1 < json.length && json[to + 1] == ':') {
                nameFrom = from;
                nameTo = to;
            } else if (is(BODY, json, nameFrom, nameTo)) {
                messages.bodies.add(unescaped(text(json, from, to)));
            } else if (is(HANDLE, json, nameFrom, nameTo)) {
                messages.handles.add(text(json, from, to));
            }
            i = to;
        }
        return messages;
    }

    private static int endOfString(byte[] json, int from) {
        int i = from;
        while (json[i] != '"') {
            i += json[i] == '\\' ? 2 : 1;
        }
        return i;
    }

    private static boolean is(byte[] name, byte[] json, int from, int to) {
        return Arrays.equals(name, 0, name.length, json, from, to);
    }

    private static String text(byte[] json, int from, int to) {
        return new String(json, from, to - from, StandardCharsets.UTF_8);
    }

    private static String unescaped(String text) {
        if (text.indexOf('\\') < 0) {
            return text;
        }
        StringBuilder out = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '\\') {
                out.append(c);
                continue;
            }
            char escaped = text.charAt(++i);
            switch (escaped) {
                case 'b' -> out.append('\b');
                case 'f' -> out.append('\f');
                case 'n' -> out.append('\n');
                case 'r' -> out.append('\r');
                case 't' -> out.append('\t');
                case 'u' -> {
                    out.append((char) Integer.parseInt(text, i + 1, i + 5, HEX));
                    i += 4;
                }
                default -> out.append(escaped);
            }
        }
        return out.toString();
    }
}
