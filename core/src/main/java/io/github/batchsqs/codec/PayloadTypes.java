/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.codec;

import io.github.batchsqs.MessageAttribute;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Map;
import java.util.TreeSet;

/**
 * Chooses the type of a payload by a message attribute, for queues with payloads of several types.
 *
 * <p>The attribute's value is looked up, never taken for a class name: senders choose among these types and no others.
 *
 * @param header the name of the attribute
 * @param types the types by the attribute's value
 */
public record PayloadTypes(String header, Map<String, Class<?>> types) {

    public PayloadTypes {
        types = Map.copyOf(types);
    }

    /**
     * The type of one payload.
     *
     * @param attributes those of the message
     * @param declared what the handler asks for; taken for a message without the attribute
     * @throws ConversionException if the value is none of those listed, or if the attribute is missing and the declared
     *     type is abstract
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
