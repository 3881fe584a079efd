/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.codec;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.codec.ConversionException;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.TreeSet;

/**
 * Chooses the type of a payload by a message attribute, for queues with payloads of several types.
 *
 * <p>The attribute's value is a key of this map, never a class name: senders can choose only these types.
 *
 * @param header the name of the attribute
 * @param types the types by the attribute's value
 */
public record PayloadTypes(String header, Map<String, Class<?>> types) {

    /** Copies the types. */
    public PayloadTypes {
        types = Map.copyOf(types);
    }

    /**
     * Returns the type of one payload.
     *
     * @param attributes the attributes of the message
     * @param declared the payload type that the handler declares, used for a message without the attribute
     * @throws ConversionException if the attribute has an unknown value, or if it is missing and the declared type is
     *     abstract
     */
    Type of(Map<String, MessageAttribute> attributes, Type declared) {
        MessageAttribute attribute = attributes.get(header);
        if (attribute == null) {
            if (isAbstract(declared)) {
                throw refused(
                        declared,
                        "the message has no attribute " + header
                                + " (payload.type-header), and without it the type must" + " not be abstract");
            }
            return declared;
        }
        Class<?> type = attribute.isBinary() ? null : types.get(attribute.stringValue());
        if (type == null) {
            throw refused(
                    declared,
                    "the message's attribute " + header + " must be one of those in payload.types: "
                            + String.join(", ", new TreeSet<>(types.keySet())));
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

    private static ConversionException refused(Type declared, String why) {
        String name = declared.getTypeName();
        return new ConversionException(name, "The body cannot be read as " + name + ": " + why, null);
    }
}
