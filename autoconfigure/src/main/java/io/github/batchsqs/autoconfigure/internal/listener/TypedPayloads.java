/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import static io.github.batchsqs.autoconfigure.internal.options.ListenerSettingsTable.PAYLOAD_TYPES;
import static io.github.batchsqs.autoconfigure.internal.options.ListenerSettingsTable.PAYLOAD_TYPE_HEADER;

import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.SnsNotification;
import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import io.github.batchsqs.autoconfigure.internal.options.LayeredSettings;
import io.github.batchsqs.autoconfigure.internal.signature.Handlers;
import io.github.batchsqs.autoconfigure.internal.signature.Signature;
import io.github.batchsqs.internal.codec.PayloadReader;
import io.github.batchsqs.internal.codec.PayloadTypes;
import io.github.batchsqs.internal.support.Check;
import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * Reads the payloads of a class with a handler method for each payload type: a message attribute, or Jackson, decides on the
 * type. A payload for which there is no method cannot be converted.
 *
 * @param reader returns SNS notifications if a method takes them
 * @param validations validates the payloads of each method
 */
record TypedPayloads(PayloadReader reader, Handlers handlers, Map<Signature, Consumer<Object>> validations)
        implements Function<ReceivedMessage, Object> {

    /** By name, because Jackson is optional where the application has a codec of its own. */
    private static final String TYPE_INFO = "com.fasterxml.jackson.annotation.JsonTypeInfo";

    @Override
    public Object apply(ReceivedMessage message) {
        Object read = reader.read(message.body(), message::attributes);
        Object payload = read instanceof SnsNotification<?> notification ? notification.payload() : read;
        Signature handler = handlers.require(payload);
        Objects.requireNonNull(validations.get(handler)).accept(payload);
        return handler.takesNotifications() ? read : payload;
    }

    /**
     * Returns the type as which Jackson reads all payloads, without {@code payload.types}.
     *
     * @throws SetupException if there is none
     */
    static Type requireCommon(Handlers handlers, String id) {
        Type type = common(handlers);
        if (type == null) {
            throw new SetupException(
                    "The class " + handlers.describe()
                            + ", and nothing says which of these types the payload of a message has.",
                    "Set " + LayeredSettings.keyOfListener(id, PAYLOAD_TYPE_HEADER)
                            + " to the name of the message attribute that says it, and "
                            + LayeredSettings.keyOfListener(id, PAYLOAD_TYPES)
                            + ".<value> to the class for each of its values;"
                            + " or give the payload types a common supertype with Jackson's @JsonTypeInfo.");
        }
        return type;
    }

    /** Returns the types where an attribute decides. */
    static PayloadTypes types(Handlers handlers, String header, Map<String, Class<?>> listed) {
        Map<String, Type> byValue = new HashMap<>();
        listed.forEach((value, type) -> byValue.put(value, typeOf(handlers, value, type)));
        Signature byDefault = handlers.defaultHandler();
        Type unlisted = byDefault == null ? null : published(byDefault);
        return new PayloadTypes(
                header,
                byValue,
                unlisted,
                unlisted != null ? unlisted : common(handlers),
                "a payload of " + handlers.name(),
                "; " + handlers.describe()
                        + ". A method with @BatchSqsHandler(isDefault = true) would take such messages");
    }

    private static Type typeOf(Handlers handlers, String value, Class<?> type) {
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
                PAYLOAD_TYPES,
                "must name classes that a @BatchSqsHandler method takes: " + handlers.describe(),
                value + "=" + type.getName(),
                "add a method for it, or one with @BatchSqsHandler(isDefault = true), or set payload.types for other"
                        + " listeners alone (batchsqs.listeners.<id>.payload.types)");
        return type;
    }

    /**
     * Returns the type as which all payloads can be read: that of the only method, or a common supertype with
     * {@code @JsonTypeInfo}; {@code null} if there is none.
     */
    static @Nullable Type common(Handlers handlers) {
        List<Signature> signatures = handlers.signatures();
        if (signatures.size() == 1) {
            return published(signatures.getFirst());
        }
        return supertypes(signatures.getFirst().payloadClass())
                .filter(type -> signatures.stream().allMatch(each -> type.isAssignableFrom(each.payloadClass())))
                .filter(type -> MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY)
                        .isPresent(TYPE_INFO))
                .findFirst()
                .orElse(null);
    }

    /** Returns the type and its supertypes, the nearest ones first. */
    private static Stream<Class<?>> supertypes(@Nullable Class<?> type) {
        return type == null
                ? Stream.empty()
                : Stream.concat(
                        Stream.of(type),
                        Stream.concat(
                                        Stream.<Class<?>>of(type.getInterfaces()),
                                        Stream.<Class<?>>ofNullable(type.getSuperclass()))
                                .flatMap(TypedPayloads::supertypes));
    }

    private static Type published(Signature signature) {
        return PayloadReader.published(signature.payloadType());
    }
}
