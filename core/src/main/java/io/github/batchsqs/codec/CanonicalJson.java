/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.codec;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * JSON in the canonical form of RFC 8785: no whitespace, properties sorted by UTF-16 code units, numbers and strings as
 * ECMAScript writes them.
 *
 * @param text the canonical form
 * @param exactNumbers the numbers that the canonical form rounds, because a double does not hold them, in their full
 *     length; each with its place among all numbers of the text before it ({@code 0=}), and a comma behind it. Not part of
 *     the RFC
 */
public record CanonicalJson(String text, String exactNumbers) {

    /**
     * Creates the canonical form of a value that was read with floats as {@link BigDecimal}.
     *
     * @param root the value
     * @return its canonical form
     */
    public static CanonicalJson of(JsonNode root) {
        Writer writer = new Writer();
        writer.write(root);
        return new CanonicalJson(writer.text.toString(), writer.exact.toString());
    }

    /** The value is not I-JSON (RFC 7493), for which RFC 8785 demands an error. */
    public static final class NotCanonicalException extends RuntimeException {
        /**
         * Creates the exception.
         *
         * @param message the reason, for people
         */
        public NotCanonicalException(String message) {
            super(message);
        }
    }

    private static final class Writer {

        final StringBuilder text = new StringBuilder();
        final StringBuilder exact = new StringBuilder();
        private int numbers;

        void write(JsonNode value) {
            switch (value.getNodeType()) {
                case OBJECT -> writeObject(value);
                case ARRAY -> writeArray(value);
                case STRING -> writeString(value.stringValue());
                case NUMBER -> writeNumber(value.decimalValue());
                case BOOLEAN -> text.append(value.booleanValue());
                case NULL -> text.append("null");
                case BINARY, MISSING, POJO -> throw new NotCanonicalException("not JSON: " + value.getNodeType());
            }
        }

        private void writeObject(JsonNode object) {
            List<String> names = new ArrayList<>(object.propertyNames());
            Collections.sort(names);
            char separator = '{';
            for (String name : names) {
                text.append(separator);
                separator = ',';
                writeString(name);
                text.append(':');
                write(object.get(name));
            }
            text.append(names.isEmpty() ? "{}" : "}");
        }

        private void writeArray(JsonNode array) {
            char separator = '[';
            for (JsonNode element : array) {
                text.append(separator);
                separator = ',';
                write(element);
            }
            text.append(array.isEmpty() ? "[]" : "]");
        }

        private void writeNumber(BigDecimal value) {
            double nearest = value.doubleValue();
            if (!Double.isFinite(nearest)) {
                throw new NotCanonicalException("a number is beyond the range of a double");
            }
            String written = EcmaNumbers.write(nearest);
            text.append(written);
            if (new BigDecimal(written).compareTo(value) != 0) {
                exact.append(numbers)
                        .append('=')
                        .append(value.stripTrailingZeros())
                        .append(',');
            }
            numbers++;
        }

        private void writeString(String value) {
            text.append('"');
            for (int i = 0; i < value.length(); i++) {
                char c = value.charAt(i);
                switch (c) {
                    case '"', '\\' -> text.append('\\').append(c);
                    case '\b' -> text.append("\\b");
                    case '\t' -> text.append("\\t");
                    case '\n' -> text.append("\\n");
                    case '\f' -> text.append("\\f");
                    case '\r' -> text.append("\\r");
                    default -> {
                        if (c < ' ') {
                            text.append("\\u00").append(c < 0x10 ? '0' : '1').append(Character.forDigit(c & 15, 16));
                        } else if (Character.isSurrogate(c)) {
                            i = writePair(value, i);
                        } else {
                            text.append(c);
                        }
                    }
                }
            }
            text.append('"');
        }

        private int writePair(String value, int high) {
            int low = high + 1;
            if (low == value.length() || !Character.isSurrogatePair(value.charAt(high), value.charAt(low))) {
                throw new NotCanonicalException("a string has an unpaired surrogate");
            }
            text.append(value, high, low + 1);
            return low;
        }
    }
}
