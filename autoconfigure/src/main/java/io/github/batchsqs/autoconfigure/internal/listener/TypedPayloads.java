/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import static io.github.batchsqs.autoconfigure.internal.options.ListenerSettingsTable.PAYLOAD_TYPES;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.SnsNotification;
import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import io.github.batchsqs.autoconfigure.internal.signature.Handlers;
import io.github.batchsqs.autoconfigure.internal.signature.Signature;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.codec.ConversionException;
import io.github.batchsqs.codec.PayloadCodec;
import io.github.batchsqs.internal.codec.Envelope;
import io.github.batchsqs.internal.codec.PayloadReader;
import io.github.batchsqs.internal.codec.PayloadTypes;
import io.github.batchsqs.internal.codec.SnsEnvelope;
import io.github.batchsqs.internal.support.Check;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * Reads the payloads of a class with a handler method for each payload type: a message attribute, or Jackson, decides on the
 * type. A payload for which there is no method cannot be converted.
 */
final class TypedPayloads implements Function<ReceivedMessage, Object> {

    private final PayloadCodec codec;
    private final Envelope envelope;
    private final Handlers handlers;
    private final Types types;
    private final Map<Signature, Consumer<Object>> validations;
    private final boolean notifications;

    /** @param validations validates the payloads of those methods that require it */
    TypedPayloads(
            PayloadCodec codec,
            Envelope envelope,
            Handlers handlers,
            Types types,
            Map<Signature, Consumer<Object>> validations) {
        this.codec = codec;
        this.envelope = envelope;
        this.handlers = handlers;
        this.types = types;
        this.validations = validations;
        this.notifications = handlers.signatures().stream().anyMatch(Signature::takesNotifications);
    }

    @Override
    public Object apply(ReceivedMessage message) {
        if (notifications) {
            SnsNotification<String> opened = Objects.requireNonNullElseGet(
                    SnsEnvelope.open(message.body()),
                    () -> new SnsNotification<>(message.body(), null, message.attributes(), null, null));
            return read(opened.payload(), opened.attributes(), message, opened);
        }
        Envelope.Content content = envelope.open(message.body());
        return read(content.payload(), content.attributes(), message, null);
    }

    private Object read(
            String text,
            Map<String, MessageAttribute> published,
            ReceivedMessage message,
            @Nullable SnsNotification<String> notification) {
        Object payload = codec.<Object>read(text, type(published, message));
        Signature handler = handlers.require(payload);
        Consumer<Object> validation = validations.get(handler);
        if (validation != null) {
            validation.accept(payload);
        }
        return notification != null && handler.takesNotifications() ? notification.with(payload) : payload;
    }

    private Type type(Map<String, MessageAttribute> published, ReceivedMessage message) {
        if (types.header() == null) {
            return Objects.requireNonNull(types.unmarked());
        }
        MessageAttribute attribute =
                published.get(types.header()); // those of the envelope override those of the message
        if (attribute == null) {
            attribute = message.attributes().get(types.header());
        }
        if (attribute == null) {
            return known(types.unmarked(), "the message has no attribute " + types.header() + " (payload.type-header)");
        }
        Type listed = attribute.isBinary() ? null : types.byValue().get(attribute.stringValue());
        return listed != null
                ? listed
                : known(
                        types.unlisted(),
                        "the message's attribute " + types.header() + " must be one of those in payload.types: "
                                + String.join(
                                        ", ", new TreeSet<>(types.byValue().keySet())));
    }

    private Type known(@Nullable Type type, String why) {
        if (type == null) {
            throw new ConversionException(
                    "unknown",
                    "The type of the payload is not known: " + why + "; " + handlers.describe()
                            + ". A method with @BatchSqsHandler(isDefault = true) would take such messages",
                    null);
        }
        return type;
    }

    /**
     * The types of the payloads.
     *
     * @param header the name of the attribute that decides, or {@code null} if none does
     * @param byValue the types by the values of the attribute
     * @param unlisted the type of messages with another value, or {@code null} if they cannot be converted
     * @param unmarked the type of messages without the attribute, or {@code null} if they cannot be converted
     */
    record Types(
            @Nullable String header,
            Map<String, Type> byValue,
            @Nullable Type unlisted,
            @Nullable Type unmarked) {

        /** By name, because Jackson is optional where the application has a codec of its own. */
        private static final String TYPE_INFO = "com.fasterxml.jackson.annotation.JsonTypeInfo";

        /**
         * Returns the types where Jackson decides, without {@code payload.types}.
         *
         * @throws SetupException if neither it nor anything else can
         */
        static Types unlisted(Handlers handlers, String id) {
            Type type = common(handlers);
            if (type == null) {
                throw new SetupException(
                        "The class " + handlers.describe()
                                + ", and nothing says which of these types the payload of a message has.",
                        "Set batchsqs.listeners." + id
                                + ".payload.type-header to the name of the message attribute that says it,"
                                + " and batchsqs.listeners." + id
                                + ".payload.types.<value> to the class for each of its values;"
                                + " or give the payload types a common supertype with Jackson's @JsonTypeInfo.");
            }
            return new Types(null, Map.of(), null, type);
        }

        /** Returns the types where an attribute decides. */
        static Types listed(Handlers handlers, PayloadTypes listed) {
            Map<String, Type> byValue = new HashMap<>();
            listed.types().forEach((value, type) -> byValue.put(value, typeOf(handlers, value, type)));
            Signature byDefault = handlers.defaultHandler();
            Type unlisted = byDefault == null ? null : published(byDefault);
            return new Types(
                    listed.header(), Map.copyOf(byValue), unlisted, unlisted != null ? unlisted : common(handlers));
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

        /** Returns the types as which payloads are read. */
        Collection<Type> all() {
            return header == null ? List.of(Objects.requireNonNull(unmarked)) : byValue.values();
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
                                    .flatMap(Types::supertypes));
        }

        private static Type published(Signature signature) {
            return PayloadReader.published(signature.payloadType());
        }
    }
}
