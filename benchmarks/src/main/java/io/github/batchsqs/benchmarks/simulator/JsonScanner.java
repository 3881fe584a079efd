/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;

/** Reads the small, known shapes of SQS requests in one pass, without a tree. Not a validating parser. */
final class JsonScanner {

    private final byte[] json;
    private int at;

    JsonScanner(byte[] json) {
        this.json = json;
    }

    /** Calls the reader with each name; it must consume the value. */
    void object(Consumer<String> field) {
        expect('{');
        if (next() == '}') {
            at++;
            return;
        }
        do {
            String name = string();
            expect(':');
            field.accept(name);
        } while (another('}'));
    }

    /** Calls the reader at each element; it must consume it. */
    void array(Runnable element) {
        expect('[');
        if (next() == ']') {
            at++;
            return;
        }
        do {
            element.run();
        } while (another(']'));
    }

    String string() {
        return new String(unescape(rawString()), StandardCharsets.UTF_8);
    }

    /** The bytes between the quotes as they stand, escapes included. */
    byte[] rawString() {
        expect('"');
        int start = at;
        while (json[at] != '"') {
            at += json[at] == '\\' ? 2 : 1;
        }
        return Arrays.copyOfRange(json, start, at++);
    }

    int integer() {
        boolean quoted = next() == '"';
        if (quoted) {
            at++;
        }
        int start = at;
        while (json[at] == '-' || Character.isDigit(json[at])) {
            at++;
        }
        int value = Integer.parseInt(new String(json, start, at - start, StandardCharsets.US_ASCII));
        if (quoted) {
            expect('"');
        }
        return value;
    }

    void skip() {
        switch (next()) {
            case '{' -> object(name -> skip());
            case '[' -> array(this::skip);
            case '"' -> {
                byte[] unused = rawString();
            }
            default -> {
                while (json[at] != ',' && json[at] != '}' && json[at] != ']') {
                    at++;
                }
            }
        }
    }

    /** The UTF-8 that a JSON string's inside stands for; the same array if nothing is escaped. */
    static byte[] unescape(byte[] raw) {
        int i = 0;
        while (i < raw.length && raw[i] != '\\') {
            i++;
        }
        if (i == raw.length) {
            return raw;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(raw.length);
        StringBuilder units = new StringBuilder();
        for (i = 0; i < raw.length; i++) {
            if (raw[i] != '\\') {
                flush(units, out);
                out.write(raw[i]);
            } else if (raw[++i] == 'u') {
                units.append((char) Integer.parseInt(new String(raw, i + 1, 4, StandardCharsets.US_ASCII), 16));
                i += 4;
            } else {
                flush(units, out);
                out.write(plain(raw[i]));
            }
        }
        flush(units, out);
        return out.toByteArray();
    }

    /** Surrogates come as two escapes, so they are gathered before they are encoded. */
    private static void flush(StringBuilder units, ByteArrayOutputStream out) {
        if (!units.isEmpty()) {
            out.writeBytes(units.toString().getBytes(StandardCharsets.UTF_8));
            units.setLength(0);
        }
    }

    private static int plain(byte escaped) {
        return switch (escaped) {
            case 'n' -> '\n';
            case 't' -> '\t';
            case 'r' -> '\r';
            case 'b' -> '\b';
            case 'f' -> '\f';
            default -> escaped;
        };
    }

    private boolean another(char end) {
        char next = next();
        at++;
        if (next == ',') {
            return true;
        }
        if (next != end) {
            throw new IllegalArgumentException("Expected , or " + end + " at " + (at - 1));
        }
        return false;
    }

    private char next() {
        while (json[at] == ' ' || json[at] == '\n' || json[at] == '\r' || json[at] == '\t') {
            at++;
        }
        return (char) json[at];
    }

    private void expect(char wanted) {
        if (next() != wanted) {
            throw new IllegalArgumentException("Expected " + wanted + " at " + at);
        }
        at++;
    }
}
