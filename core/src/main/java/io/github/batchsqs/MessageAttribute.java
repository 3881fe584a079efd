/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message attribute: a data type and a value that is either text or bytes. Immutable.
 *
 * <p>SQS knows the types {@code String}, {@code Number} and {@code Binary}, each optionally followed by a dot and a label
 * of the sender's own ({@code Number.int}). A message carries at most ten attributes; name, type and value count towards
 * its size.
 */
public final class MessageAttribute {

    private final String dataType;
    private final @Nullable String text;
    private final byte @Nullable [] bytes;

    private MessageAttribute(String dataType, @Nullable String text, byte @Nullable [] bytes) {
        this.dataType = Objects.requireNonNull(dataType, "dataType");
        this.text = text;
        this.bytes = bytes;
    }

    /** An attribute of type {@code String}. SQS refuses an empty value. */
    public static MessageAttribute string(String value) {
        return text("String", value);
    }

    /** An attribute of type {@code Number}, written in plain decimal notation. */
    public static MessageAttribute number(Number value) {
        return text("Number", new BigDecimal(value.toString()).toPlainString());
    }

    /** An attribute of type {@code Binary}; the bytes are copied. */
    public static MessageAttribute binary(byte[] value) {
        return binary("Binary", value);
    }

    /** A textual attribute with a data type of the caller's, for example {@code Number.int}. */
    public static MessageAttribute text(String dataType, String value) {
        return new MessageAttribute(dataType, Objects.requireNonNull(value, "value"), null);
    }

    /** A binary attribute with a data type of the caller's, for example {@code Binary.png}; the bytes are copied. */
    public static MessageAttribute binary(String dataType, byte[] value) {
        return new MessageAttribute(dataType, null, value.clone());
    }

    /** The data type as SQS knows it. */
    public String dataType() {
        return dataType;
    }

    /** Whether the value is bytes rather than text. */
    public boolean isBinary() {
        return bytes != null;
    }

    /**
     * The value as text.
     *
     * @throws IllegalStateException if the value is binary
     */
    public String stringValue() {
        if (text == null) {
            throw new IllegalStateException("The attribute is binary (" + dataType + "); read it with binaryValue()");
        }
        return text;
    }

    /**
     * A copy of the value as bytes.
     *
     * @throws IllegalStateException if the value is text
     */
    public byte[] binaryValue() {
        if (bytes == null) {
            throw new IllegalStateException("The attribute is text (" + dataType + "); read it with stringValue()");
        }
        return bytes.clone();
    }

    /** The bytes that this attribute adds to a message's size under the given name. */
    public int sizeInBytes(String name) {
        int value = bytes != null ? bytes.length : Utf8.length(stringValue());
        return Utf8.length(name) + Utf8.length(dataType) + value;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MessageAttribute that
                && dataType.equals(that.dataType)
                && Objects.equals(text, that.text)
                && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Objects.hash(dataType, text, Arrays.hashCode(bytes));
    }

    /** The type and the size, never the value: attributes may be confidential. */
    @Override
    public String toString() {
        int size = bytes != null ? bytes.length : stringValue().getBytes(StandardCharsets.UTF_8).length;
        return dataType + "[" + size + " bytes]";
    }
}
