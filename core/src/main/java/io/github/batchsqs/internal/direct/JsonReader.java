/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.direct;

import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Reads one JSON value from bytes in UTF-8, in one pass and by demand: members that nobody asks for are checked and skipped
 * without any object.
 *
 * <p>All that is not JSON ends in an {@link UnreadableJsonException}. What follows the value is not looked at. Used by one thread.
 */
final class JsonReader {

    /** Both limits are those of the SDK's parser. */
    private static final int DEEPEST = 1_000;

    private static final int LONGEST_NAME = 65_535;

    private final byte[] bytes;
    private final int length;
    private final JsonStrings strings;

    private int place;
    private int depth;

    /** Whether nothing of the innermost object or array has been read. */
    private boolean first;

    private String name = "";

    JsonReader(byte[] bytes, int length) {
        this.bytes = bytes;
        this.length = length;
        this.strings = new JsonStrings(bytes);
        boolean mark = length >= 3 && bytes[0] == (byte) 0xEF && bytes[1] == (byte) 0xBB && bytes[2] == (byte) 0xBF;
        place = mark ? 3 : 0;
    }

    /** Returns whether there is nothing but white space. */
    boolean isEmpty() {
        skipSpace();
        return place == length;
    }

    /** Reads a {@code null} if that is the next value. */
    boolean nextNull() {
        if (peek() != 'n') {
            return false;
        }
        literal("null");
        return true;
    }

    /** Enters the object that is the next value. Returns false if that is something else, and reads nothing. */
    boolean nextObject() {
        return peek() == '{' && enter();
    }

    /** Enters the object that must be the next value. */
    void requireObject() {
        if (!nextObject()) {
            throw new UnreadableJsonException("The response has no object where one was expected, at byte " + place);
        }
    }

    /** Enters the array that is the next value. Returns false if that is something else, and reads nothing. */
    boolean nextArray() {
        return peek() == '[' && enter();
    }

    /** Enters the array that must be the next value. */
    void requireArray() {
        if (!nextArray()) {
            throw new UnreadableJsonException("The response has no array where one was expected, at byte " + place);
        }
    }

    /** Goes on to the next member of the object, before its value. Returns false behind the last one, and leaves the object. */
    boolean nextMember() {
        if (!next('}')) {
            return false;
        }
        if (peek() != '"') {
            throw unexpected("name of a member");
        }
        int begin = place + 1;
        boolean plain = readString();
        int end = place - 1;
        if (end - begin > LONGEST_NAME) {
            throw new UnreadableJsonException("The response has a name of " + (end - begin) + " bytes");
        }
        name = plain ? JsonStrings.known(bytes, begin, end) : strings.decoded(begin, end);
        if (peek() != ':') {
            throw unexpected("colon");
        }
        place++;
        return true;
    }

    /** Returns the name of the member that {@link #nextMember} went to. */
    String name() {
        return name;
    }

    /** Goes on to the next element of the array. Returns false behind the last one, and leaves the array. */
    boolean nextElement() {
        return next(']');
    }

    /** Returns the next value, which must be a string, a number, true, false, or null. */
    @Nullable
    String text() {
        return switch (peek()) {
            case '"' -> string();
            case 'n' -> {
                literal("null");
                yield null;
            }
            case 't' -> literal("true");
            case 'f' -> literal("false");
            case '{', '[' -> throw unexpected("text");
            default -> number();
        };
    }

    /** Returns the next value as {@link #text} does, and null for an object or array, which it skips. */
    @Nullable
    String textIfAny() {
        int next = peek();
        if (next == '{' || next == '[') {
            skip();
            return null;
        }
        return text();
    }

    /** Returns the next value, which must be Base64 or null. */
    byte @Nullable [] base64() {
        if (nextNull()) {
            return null;
        }
        if (peek() != '"') {
            throw unexpected("Base64");
        }
        return Base64.getDecoder().decode(string());
    }

    /** Returns the next value, which must be true or false, as such or as a string, or null. */
    boolean truth() {
        return switch (peek()) {
            case '"' -> Boolean.parseBoolean(string());
            case 't' -> Boolean.parseBoolean(literal("true"));
            case 'f' -> Boolean.parseBoolean(literal("false"));
            case 'n' -> Boolean.parseBoolean(literal("null"));
            default -> throw unexpected("true or false");
        };
    }

    /** Reads the next value, whatever it is. */
    void skip() {
        switch (peek()) {
            case '{' -> {
                enter();
                while (nextMember()) {
                    skip();
                }
            }
            case '[' -> {
                enter();
                while (nextElement()) {
                    skip();
                }
            }
            default -> text();
        }
    }

    // ---- objects and arrays

    private boolean enter() {
        if (++depth > DEEPEST) {
            throw new UnreadableJsonException("The response is nested more than " + DEEPEST + " deep");
        }
        place++;
        first = true;
        return true;
    }

    private boolean next(char end) {
        int next = peek();
        boolean begins = first;
        first = false;
        if (next == end) {
            place++;
            depth--;
            return false;
        }
        if (!begins) {
            if (next != ',') {
                throw unexpected("comma or " + end);
            }
            place++;
        }
        return true;
    }

    // ---- scalars

    private String string() {
        int begin = place + 1;
        boolean plain = readString();
        int end = place - 1;
        return plain ? JsonStrings.plain(bytes, begin, end) : strings.decoded(begin, end);
    }

    /** Reads a string up to its closing quote. Returns whether it is what it stands for: no escape, nothing above 127. */
    private boolean readString() {
        boolean plain = true;
        for (int i = place + 1; i < length; i++) {
            byte b = bytes[i];
            if (b == '"') {
                place = i + 1;
                return plain;
            }
            if (b == '\\') {
                plain = false;
                i++; // whatever it is, it is no end
            } else if (b < ' ') {
                if (b >= 0) {
                    place = i;
                    throw unexpected("end of a string before a control character");
                }
                plain = false;
            }
        }
        place = length;
        throw unexpected("end of a string");
    }

    private String literal(String word) {
        for (int i = 0; i < word.length(); i++) {
            if (place + i >= length || bytes[place + i] != word.charAt(i)) {
                throw unexpected(word);
            }
        }
        place += word.length();
        return word;
    }

    private String number() {
        int begin = place;
        if (bytes[place] == '-') {
            place++;
        }
        boolean zero = at('0');
        int whole = digits();
        if (whole == 0 || (zero && whole > 1)) {
            place = begin;
            throw unexpected("value");
        }
        if (at('.')) {
            place++;
            requireDigits();
        }
        if (at('e') || at('E')) {
            place++;
            if (at('+') || at('-')) {
                place++;
            }
            requireDigits();
        }
        return JsonStrings.plain(bytes, begin, place);
    }

    private void requireDigits() {
        if (digits() == 0) {
            throw unexpected("digit");
        }
    }

    private int digits() {
        int begin = place;
        while (place < length && bytes[place] >= '0' && bytes[place] <= '9') {
            place++;
        }
        return place - begin;
    }

    private boolean at(char c) {
        return place < length && bytes[place] == c;
    }

    // ---- what is between

    /** Returns the next byte that is no white space, without reading it. */
    private int peek() {
        skipSpace();
        if (place == length) {
            throw unexpected("further value");
        }
        return bytes[place];
    }

    private void skipSpace() {
        while (place < length) {
            byte b = bytes[place];
            if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
                return;
            }
            place++;
        }
    }

    private UnreadableJsonException unexpected(String expected) {
        return new UnreadableJsonException("The response is not the JSON that was expected: no " + expected
                + " at byte " + place + " of " + length);
    }
}
