/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import java.util.Objects;
import static io.github.batchsqs.autoconfigure.internal.options.ListenerSettingsTable.PAYLOAD_ENVELOPE;
import static io.github.batchsqs.autoconfigure.internal.options.ListenerSettingsTable.PAYLOAD_TYPES;
import static io.github.batchsqs.autoconfigure.internal.options.ListenerSettingsTable.PAYLOAD_TYPE_HEADER;

import io.github.batchsqs.autoconfigure.internal.diagnostics.SetupException;
import io.github.batchsqs.autoconfigure.internal.options.LayeredSettings;
import io.github.batchsqs.autoconfigure.internal.signature.Handler;
import io.github.batchsqs.autoconfigure.internal.signature.Signature;
import io.github.batchsqs.autoconfigure.internal.signature.TypedHandlers;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.codec.ConversionException;
import io.github.batchsqs.codec.Envelope;
import io.github.batchsqs.codec.PayloadCodec;
import io.github.batchsqs.codec.PayloadReader;
import io.github.batchsqs.codec.PayloadTypes;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.internal.support.Check;
import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.validation.Validator;

/** Creates a container's payload reader from the signatures of the methods and the {@code payload.*} settings. */
final class PayloadReaders {

    private static final String JACKSON = "tools.jackson.databind.json.JsonMapper";

    private final PayloadCodec codec;
    private final Supplier<@Nullable Validator> validator;
    private final ClassLoader classLoader;

    /**
     * @param validator returns the validator or {@code null}; called only for listeners that validate
     * @param classLoader finds payload types
     */
    PayloadReaders(PayloadCodec codec, Supplier<@Nullable Validator> validator, ClassLoader classLoader) {
        this.codec = codec;
        this.validator = validator;
        this.classLoader = classLoader;
    }

    /** Returns the envelope of the payloads: the one that the method requires, otherwise the one of the settings. */
    Envelope envelope(String id, LayeredSettings settings, Handler handler) {
        if (!handler.sns()) {
            return settings.get(PAYLOAD_ENVELOPE, Envelope.NONE);
        }
        Envelope own = settings.findOwn(PAYLOAD_ENVELOPE);
        return named(id, settings, () -> {
            Check.that(
                    own == null || own == Envelope.SNS,
                    PAYLOAD_ENVELOPE.key(),
                    "must be sns, since the method takes SNS notifications",
                    String.valueOf(own),
                    "remove the setting, or take T without @SnsPayload and SnsNotification");
            return Envelope.SNS;
        });
    }

    /** An application with a codec of its own may lack Jackson; it should know that at the start, not at the first message. */
    private Envelope readable(String id, LayeredSettings settings, Envelope envelope) {
        return named(id, settings, () -> {
            Check.that(
                    envelope == Envelope.NONE || ClassUtils.isPresent(JACKSON, classLoader),
                    PAYLOAD_ENVELOPE.key(),
                    "must be none without Jackson 3, which reads envelopes and is not on the class path",
                    envelope.name().toLowerCase(Locale.ROOT).replace('_', '-'),
                    "add org.springframework.boot:spring-boot-starter-jackson, or let the method take the whole body,"
                            + " without an envelope");
            return envelope;
        });
    }

    /** Returns a reader for the payload of one message. A payload without envelope and types goes to the codec directly. */
    Function<ReceivedMessage, Object> create(String id, LayeredSettings settings, Handler handler) {
        return switch (handler) {
            case Signature signature -> ofMethod(id, settings, signature);
            case TypedHandlers handlers -> ofClass(id, settings, handlers);
        };
    }

    private Function<ReceivedMessage, Object> ofClass(String id, LayeredSettings settings, TypedHandlers handlers) {
        Map<Signature, Consumer<Object>> validations = new HashMap<>();
        for (Signature signature : handlers.signatures()) {
            Consumer<Object> validation = signature.validation(validator);
            if (validation != null) {
                validations.put(signature, validation);
            }
        }
        TypedPayloads.Types types = named(id, settings, () -> {
            ListedTypes listed = listed(settings);
            return listed == null
                    ? TypesOfHandlers.unlisted(handlers, id)
                    : TypesOfHandlers.listed(handlers, listed.header(), listed.classes());
        });
        if (types.header() == null) {
            requireReadable(id, Objects.requireNonNull(types.unmarked()));
        } else {
            types.byValue().values().forEach(each -> requireReadable(id, each));
        }
        Envelope envelope = readable(id, settings, envelope(id, settings, handlers));
        return new TypedPayloads(codec, envelope, handlers, types, validations);
    }

    private Function<ReceivedMessage, Object> ofMethod(String id, LayeredSettings settings, Signature signature) {
        if (!signature.takesPayloads()) {
            return ReceivedMessage::body;
        }
        Envelope envelope = readable(id, settings, envelope(id, settings, signature));
        return validated(create(id, settings, signature.payloadType(), envelope), signature.validation(validator));
    }

    /** Returns a payload reader for a listener that code defines. */
    Function<ReceivedMessage, Object> create(String id, LayeredSettings settings, Type type) {
        Envelope envelope = settings.get(PAYLOAD_ENVELOPE, Envelope.NONE);
        return create(id, settings, type, readable(id, settings, envelope));
    }

    private Function<ReceivedMessage, Object> create(
            String id, LayeredSettings settings, Type type, Envelope envelope) {
        PayloadTypes types = named(id, settings, () -> types(settings, PayloadReader.published(type)));
        if (types == null) {
            requireReadable(id, PayloadReader.published(type));
        } else {
            types.types().values().forEach(each -> requireReadable(id, each));
        }
        if (envelope == Envelope.NONE && types == null) {
            return message -> codec.<Object>read(message.body(), type);
        }
        var reader = new PayloadReader(codec, envelope, type, types);
        return message -> reader.read(message.body(), message::attributes);
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
            Function<ReceivedMessage, Object> reader, @Nullable Consumer<Object> validation) {
        return validation == null
                ? reader
                : message -> {
                    Object payload = reader.apply(message);
                    validation.accept(payload);
                    return payload;
                };
    }

    private @Nullable PayloadTypes types(LayeredSettings settings, Type declared) {
        ListedTypes listed = listed(settings);
        if (listed == null) {
            return null;
        }
        Class<?> wanted = ResolvableType.forType(declared).toClass();
        listed.classes()
                .forEach((value, type) -> Check.that(
                        wanted.isAssignableFrom(type),
                        PAYLOAD_TYPES.key(),
                        "must name classes that are a " + wanted.getName() + ", which the method takes",
                        value + "=" + type.getName(),
                        "let the method take a type that all of them have in common, or set payload.types for other"
                                + " listeners alone (batchsqs.listeners.<id>.payload.types)"));
        return new PayloadTypes(listed.header(), listed.classes());
    }

    /** Ignores a header for all listeners if there are no types; a header for this listener requires types. */
    private @Nullable ListedTypes listed(LayeredSettings settings) {
        String header = settings.find(PAYLOAD_TYPE_HEADER);
        Map<String, String> names = settings.get(PAYLOAD_TYPES, Map.of());
        if (names.isEmpty()) {
            String own = settings.findOwn(PAYLOAD_TYPE_HEADER);
            Check.that(
                    own == null,
                    PAYLOAD_TYPE_HEADER.key(),
                    "needs payload.types",
                    String.valueOf(own),
                    "list the classes by the attribute's value, for example payload.types.order=com.example.Order");
            return null;
        }
        if (header == null || header.isBlank()) {
            throw new InvalidOptionException(
                    PAYLOAD_TYPES.key(),
                    "needs payload.type-header",
                    names,
                    "set payload.type-header to the name of the message attribute that chooses among them");
        }
        Map<String, Class<?>> types = new HashMap<>();
        names.forEach((value, name) -> types.put(value, type(value, name)));
        return new ListedTypes(header, types);
    }

    private Class<?> type(String value, String name) {
        try {
            return Class.forName(name, false, classLoader);
        } catch (ClassNotFoundException notFound) {
            throw new InvalidOptionException(
                    PAYLOAD_TYPES.key(),
                    "must name classes on the class path",
                    value + "=" + name,
                    "write the full name, for example com.example.Order, and com.example.Orders$Placed for a nested"
                            + " class");
        }
    }

    private static <R extends @Nullable Object> R named(String id, LayeredSettings settings, Supplier<R> made) {
        try {
            return made.get();
        } catch (InvalidOptionException broken) {
            throw settings.named(broken, id);
        }
    }

    /** What the settings {@code payload.type-header} and {@code payload.types} say. */
    private record ListedTypes(String header, Map<String, Class<?>> classes) {}
}
