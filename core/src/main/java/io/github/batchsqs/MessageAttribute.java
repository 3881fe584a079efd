/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs;

import io.github.batchsqs.internal.support.Utf8;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A message attribute: a data type and a value that is either text or bytes. Immutable.
 *
 * <p>SQS has the types {@code String}, {@code Number} and {@code Binary}, each optionally followed by a dot and a custom label
 * ({@code Number.int}). A message has at most ten attributes; name, type and value count towards its size.
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

    /**
     * Creates an attribute of type {@code String}. SQS refuses an empty value.
     *
     * @param value the text; not empty
     * @return the attribute
     */
    public static MessageAttribute string(String value) {
        return text("String", value);
    }

    /**
     * Creates an attribute of type {@code Number}, written in plain decimal notation.
     *
     * @param value the number
     * @return the attribute
     * @throws IllegalArgumentException if it is not finite
     */
    public static MessageAttribute number(Number value) {
        try {
            return text("Number", new BigDecimal(value.toString()).toPlainString());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "The number of an attribute must be finite, but is " + value + "; pass it as text", e);
        }
    }

    /**
     * Creates an attribute of type {@code Binary}; the bytes are copied.
     *
     * @param value the bytes
     * @return the attribute
     */
    public static MessageAttribute binary(byte[] value) {
        return binary("Binary", value);
    }

    /**
     * Creates a textual attribute with a custom data type, for example {@code Number.int}.
     *
     * @param dataType {@code String} or {@code Number}, with or without a dot and a label
     * @param value the text; not empty
     * @return the attribute
     */
    public static MessageAttribute text(String dataType, String value) {
        return new MessageAttribute(dataType, Objects.requireNonNull(value, "value"), null);
    }

    /**
     * Creates a binary attribute with a custom data type, for example {@code Binary.png}; the bytes are copied.
     *
     * @param dataType {@code Binary}, with or without a dot and a label
     * @param value the bytes
     * @return the attribute
     */
    public static MessageAttribute binary(String dataType, byte[] value) {
        return new MessageAttribute(dataType, null, value.clone());
    }

    /** {@return the data type as SQS has it} */
    public String dataType() {
        return dataType;
    }

    /** {@return whether the value is bytes rather than text} */
    public boolean isBinary() {
        return bytes != null;
    }

    /**
     * {@return the value as text}
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
     * {@return a copy of the value as bytes}
     *
     * @throws IllegalStateException if the value is text
     */
    public byte[] binaryValue() {
        if (bytes == null) {
            throw new IllegalStateException("The attribute is text (" + dataType + "); read it with stringValue()");
        }
        return bytes.clone();
    }

    /**
     * {@return the number of bytes that this attribute adds to a message's size under the given name}
     *
     * @param name the attribute's name
     */
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

    /** Returns the type and the size, never the value: attributes may be confidential. */
    @Override
    public String toString() {
        int size = bytes != null ? bytes.length : stringValue().getBytes(StandardCharsets.UTF_8).length;
        return dataType + "[" + size + " bytes]";
    }
}
