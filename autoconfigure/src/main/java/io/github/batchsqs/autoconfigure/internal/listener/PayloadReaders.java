/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import static io.github.batchsqs.autoconfigure.internal.options.ListenerSettingsTable.PAYLOAD_ENVELOPE;
import static io.github.batchsqs.autoconfigure.internal.options.ListenerSettingsTable.PAYLOAD_TYPES;
import static io.github.batchsqs.autoconfigure.internal.options.ListenerSettingsTable.PAYLOAD_TYPE_HEADER;

import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import io.github.batchsqs.autoconfigure.internal.options.LayeredSettings;
import io.github.batchsqs.autoconfigure.internal.options.SettingConversions;
import io.github.batchsqs.autoconfigure.internal.signature.Handlers;
import io.github.batchsqs.autoconfigure.internal.signature.Signature;
import io.github.batchsqs.codec.ConversionException;
import io.github.batchsqs.codec.PayloadCodec;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.internal.codec.Envelope;
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
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.validation.Validator;

/** Creates a container's payload reader from the signatures of the methods and the {@code payload.*} settings. */
record PayloadReaders(PayloadCodec codec, ObjectProvider<Validator> validators, ConfigurableListableBeanFactory beans) {

    private static final String JACKSON = "tools.jackson.databind.json.JsonMapper";

    /** The types by the values of an attribute, as they are set. */
    private record Listed(String header, Map<String, Class<?>> types) {}

    /** Returns the envelope of the payloads: the one that the method requires, otherwise the one of the settings. */
    Envelope envelope(LayeredSettings settings, Handlers handlers) {
        if (!handlers.sns()) {
            return settings.get(PAYLOAD_ENVELOPE, Envelope.NONE);
        }
        Envelope own = settings.findOwn(PAYLOAD_ENVELOPE);
        Check.that(
                own == null || own == Envelope.SNS,
                PAYLOAD_ENVELOPE,
                "must be sns, since the method takes SNS notifications",
                String.valueOf(own),
                "remove the setting, or take T without @SnsPayload and SnsNotification");
        return Envelope.SNS;
    }

    /** An application with a codec of its own may lack Jackson; it should know that at the start, not at the first message. */
    private Envelope readable(Envelope envelope) {
        Check.that(
                envelope == Envelope.NONE || ClassUtils.isPresent(JACKSON, beans.getBeanClassLoader()),
                PAYLOAD_ENVELOPE,
                "must be none without Jackson 3, which reads envelopes and is not on the class path",
                SettingConversions.text(envelope),
                "add org.springframework.boot:spring-boot-starter-jackson, or let the method take the whole body,"
                        + " without an envelope");
        return envelope;
    }

    /** Returns a reader for the payload of one message. A payload without envelope and types goes to the codec directly. */
    Function<ReceivedMessage, Object> create(String id, LayeredSettings settings, Handlers handlers) {
        Signature first = handlers.signatures().getFirst();
        if (!handlers.byType() && !first.takesPayloads()) {
            return ReceivedMessage::body;
        }
        Envelope envelope = readable(envelope(settings, handlers));
        return handlers.byType()
                ? ofClass(id, settings, handlers, envelope)
                : validated(
                        ofType(id, settings, first.payloadType(), envelope),
                        first.validation(validators::getIfAvailable));
    }

    /** Returns a payload reader for a listener that code defines. */
    Function<ReceivedMessage, Object> create(String id, LayeredSettings settings, Type type) {
        return ofType(id, settings, type, readable(settings.get(PAYLOAD_ENVELOPE, Envelope.NONE)));
    }

    private Function<ReceivedMessage, Object> ofClass(
            String id, LayeredSettings settings, Handlers handlers, Envelope envelope) {
        Map<Signature, Consumer<Object>> validations = new HashMap<>();
        handlers.signatures().forEach(each -> validations.put(each, each.validation(validators::getIfAvailable)));
        Listed listed = listed(settings);
        Type common = listed == null ? TypedPayloads.requireCommon(handlers, id) : null;
        PayloadTypes types = listed == null ? null : TypedPayloads.types(handlers, listed.header(), listed.types());
        (types == null ? List.of(Objects.requireNonNull(common)) : types.types().values())
                .forEach(each -> requireReadable(id, each));
        boolean notifications = handlers.signatures().stream().anyMatch(Signature::takesNotifications);
        var reader = new PayloadReader(codec, envelope, notifications, common, types);
        return new TypedPayloads(reader, handlers, validations);
    }

    private Function<ReceivedMessage, Object> ofType(
            String id, LayeredSettings settings, Type type, Envelope envelope) {
        Type published = PayloadReader.published(type);
        Listed listed = listed(settings);
        if (listed == null) {
            requireReadable(id, published);
        } else {
            listed.types().forEach((value, each) -> {
                requireSubtype(published, value, each);
                requireReadable(id, each);
            });
        }
        if (envelope == Envelope.NONE && listed == null) {
            return message -> codec.<Object>read(message.body(), type);
        }
        var types = listed == null ? null : PayloadTypes.of(listed.header(), listed.types(), published);
        var reader = new PayloadReader(codec, envelope, type, types);
        return message -> reader.read(message.body(), message::attributes);
    }

    private static void requireSubtype(Type declared, String value, Class<?> type) {
        Class<?> wanted = ResolvableType.forType(declared).toClass();
        Check.that(
                wanted.isAssignableFrom(type),
                PAYLOAD_TYPES,
                "must name classes that are a " + wanted.getName() + ", which the method takes",
                value + "=" + type.getName(),
                "let the method take a type that all of them have in common, or set payload.types for other"
                        + " listeners alone (batchsqs.listeners.<id>.payload.types)");
    }

    /** Otherwise every message of the queue would go to the dead-letter queue. */
    private void requireReadable(String id, Type type) {
        try {
            codec.requireReadable(type);
        } catch (ConversionException e) {
            throw new SetupException(
                    "The listener '" + id + "' cannot read its payloads: " + e.getMessage(),
                    "Let the method take a record or a class that the mapper can construct, or list the classes in"
                            + " payload.types.",
                    e);
        }
    }

    private static Function<ReceivedMessage, Object> validated(
            Function<ReceivedMessage, Object> reader, Consumer<Object> validation) {
        return message -> {
            Object payload = reader.apply(message);
            validation.accept(payload);
            return payload;
        };
    }

    /** Ignores a header for all listeners if there are no types; a header for this listener requires types. */
    private @Nullable Listed listed(LayeredSettings settings) {
        String header = settings.find(PAYLOAD_TYPE_HEADER);
        Map<String, String> names = settings.get(PAYLOAD_TYPES, Map.of());
        if (names.isEmpty()) {
            String own = settings.findOwn(PAYLOAD_TYPE_HEADER);
            Check.that(
                    own == null,
                    PAYLOAD_TYPE_HEADER,
                    "needs payload.types",
                    String.valueOf(own),
                    "list the classes by the attribute's value, for example payload.types.order=com.example.Order");
            return null;
        }
        if (header == null || header.isBlank()) {
            throw new InvalidOptionException(
                    PAYLOAD_TYPES,
                    "needs payload.type-header",
                    names,
                    "set payload.type-header to the name of the message attribute that chooses among them");
        }
        Map<String, Class<?>> types = new HashMap<>();
        names.forEach((value, name) -> types.put(value, type(value, name)));
        return new Listed(header, types);
    }

    private Class<?> type(String value, String name) {
        try {
            return ClassUtils.forName(name, beans.getBeanClassLoader());
        } catch (ClassNotFoundException notFound) {
            throw new InvalidOptionException(
                    PAYLOAD_TYPES,
                    "must name classes on the class path",
                    value + "=" + name,
                    "write the full name, for example com.example.Order, and com.example.Orders$Placed for a nested"
                            + " class");
        }
    }
}
