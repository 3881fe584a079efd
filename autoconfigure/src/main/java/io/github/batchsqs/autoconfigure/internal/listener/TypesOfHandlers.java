/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import static io.github.batchsqs.autoconfigure.internal.options.ListenerSettingsTable.PAYLOAD_TYPES;

import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import io.github.batchsqs.autoconfigure.internal.signature.Signature;
import io.github.batchsqs.autoconfigure.internal.signature.TypedHandlers;
import io.github.batchsqs.codec.PayloadReader;
import io.github.batchsqs.internal.support.Check;
import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/** Decides as which types the payloads of a class with a handler method for each payload type are read. */
final class TypesOfHandlers {

    private TypesOfHandlers() {}

    /**
     * Returns the types where Jackson decides, without {@code payload.types}.
     *
     * @throws SetupException if neither it nor anything else can
     */
    static TypedPayloads.Types unlisted(TypedHandlers handlers, String id) {
        Type type = common(handlers);
        if (type == null) {
            throw new SetupException(
                    "The class " + handlers.describe()
                            + ", and nothing says which of these types the payload of a message" + " has.",
                    "Set batchsqs.listeners." + id
                            + ".payload.type-header to the name of the message attribute that says it,"
                            + " and batchsqs.listeners." + id
                            + ".payload.types.<value> to the class for each of its values;"
                            + " or give the payload types a common supertype with Jackson's @JsonTypeInfo.");
        }
        return new TypedPayloads.Types(null, Map.of(), null, type);
    }

    /**
     * Returns the types where an attribute decides.
     *
     * @param header the name of the attribute
     * @param classes the classes by its values
     */
    static TypedPayloads.Types listed(TypedHandlers handlers, String header, Map<String, Class<?>> classes) {
        Map<String, Type> byValue = new HashMap<>();
        classes.forEach((value, type) -> byValue.put(value, typeOf(handlers, value, type)));
        Signature byDefault = handlers.defaultHandler();
        Type unlisted = byDefault == null ? null : published(byDefault);
        Type unmarked = unlisted != null ? unlisted : common(handlers);
        for (Signature each : handlers.signatures()) {
            Class<?> taken = each.payloadClass();
            Check.that(
                    each == byDefault
                            || byValue.values().stream().anyMatch(type -> leadsTo(taken, type))
                            || (unmarked != null && leadsTo(taken, unmarked)),
                    PAYLOAD_TYPES.key(),
                    "must have a value for " + taken.getName() + ", because a @BatchSqsHandler method takes it",
                    String.join(", ", new TreeSet<>(classes.keySet())),
                    "add payload.types.<value>=" + taken.getName() + ", or remove the method");
        }
        return new TypedPayloads.Types(header, Map.copyOf(byValue), unlisted, unmarked);
    }

    private static Type typeOf(TypedHandlers handlers, String value, Class<?> type) {
        Signature handler = handlers.find(type);
        if (handler != null) {
            return handler.payloadClass().equals(type) ? published(handler) : type;
        }
        boolean mayBeASubtype =
                handlers.signatures().stream().anyMatch(each -> type.isAssignableFrom(each.payloadClass()));
        Signature byDefault = handlers.defaultHandler();
        if (byDefault != null && !mayBeASubtype) {
            return published(byDefault);
        }
        Check.that(
                mayBeASubtype,
                PAYLOAD_TYPES.key(),
                "must name classes that a @BatchSqsHandler method takes: " + handlers.describe(),
                value + "=" + type.getName(),
                "add a method for it, or one with @BatchSqsHandler(isDefault = true), or set payload.types for other"
                        + " listeners alone (batchsqs.listeners.<id>.payload.types)");
        return type;
    }

    /** Returns the type as which all payloads can be read, or {@code null} if there is none. */
    static @Nullable Type common(TypedHandlers handlers) {
        if (handlers.signatures().size() == 1) {
            return published(handlers.signatures().getFirst());
        }
        List<Class<?>> types = handlers.signatures().stream()
                .<Class<?>>map(Signature::payloadClass)
                .toList();
        Class<?> found = CommonType.withTypeInfo(types);
        return found != null
                ? found
                : types.stream()
                        .filter(type -> CommonType.mayBeRead(type, types))
                        .findFirst()
                        .orElse(null);
    }

    private static boolean leadsTo(Class<?> taken, Type listed) {
        Class<?> type = ResolvableType.forType(listed).toClass();
        return taken.isAssignableFrom(type) || type.isAssignableFrom(taken);
    }

    private static Type published(Signature signature) {
        return PayloadReader.published(signature.payloadType());
    }
}
