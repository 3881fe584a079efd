/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.codec;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.codec.ConversionException;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Chooses the type of a payload by a message attribute, for queues with payloads of several types.
 *
 * <p>The attribute's value is a key of this map, never a class name: senders can choose only these types.
 *
 * @param header the name of the attribute
 * @param types the types by the attribute's value
 * @param unlisted the type of payloads with another value, or {@code null} if they cannot be converted
 * @param unmarked the type of payloads without the attribute, or {@code null} if they cannot be converted
 * @param expected the type or the types that the handler takes, for errors
 * @param remedy ends the errors; may be empty
 */
public record PayloadTypes(
        String header,
        Map<String, Type> types,
        @Nullable Type unlisted,
        @Nullable Type unmarked,
        String expected,
        String remedy) {

    /** Copies the types. */
    public PayloadTypes {
        types = Map.copyOf(types);
    }

    /**
     * Returns the types of a handler that takes one type.
     *
     * @param declared the payload type that the handler declares, used for a message without the attribute unless it is abstract
     */
    public static PayloadTypes of(String header, Map<String, ? extends Type> types, Type declared) {
        return new PayloadTypes(
                header, Map.copyOf(types), null, isAbstract(declared) ? null : declared, declared.getTypeName(), "");
    }

    /**
     * Returns the type of one payload.
     *
     * @param attributes the attributes of the message
     * @throws ConversionException if the payloads with this value of the attribute, or those without it, cannot be converted
     */
    Type of(Map<String, MessageAttribute> attributes) {
        MessageAttribute attribute = attributes.get(header);
        if (attribute == null) {
            return known(
                    unmarked,
                    "the message has no attribute " + header
                            + " (payload.type-header), which several types need, and an abstract one");
        }
        Type listed = attribute.isBinary() ? null : types.get(attribute.stringValue());
        return listed != null
                ? listed
                : known(
                        unlisted,
                        "the message's attribute " + header + " must be one of those in payload.types: "
                                + String.join(", ", new TreeSet<>(types.keySet())));
    }

    private Type known(@Nullable Type type, String why) {
        if (type == null) {
            throw new ConversionException("The body cannot be read as " + expected + ": " + why + remedy, null);
        }
        return type;
    }

    private static boolean isAbstract(Type type) {
        if (type instanceof ParameterizedType parameterized) {
            return !Iterable.class.isAssignableFrom((Class<?>) parameterized.getRawType())
                    && !Map.class.isAssignableFrom((Class<?>) parameterized.getRawType())
                    && isAbstract(parameterized.getRawType());
        }
        return type instanceof Class<?> raw
                && Modifier.isAbstract(raw.getModifiers())
                && !raw.isArray()
                && !Map.class.isAssignableFrom(raw);
    }
}
