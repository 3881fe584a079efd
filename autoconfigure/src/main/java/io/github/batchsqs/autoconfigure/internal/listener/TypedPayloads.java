/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.listener;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.SnsNotification;
import io.github.batchsqs.autoconfigure.internal.signature.Signature;
import io.github.batchsqs.autoconfigure.internal.signature.TypedHandlers;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.codec.ConversionException;
import io.github.batchsqs.codec.Envelope;
import io.github.batchsqs.codec.PayloadCodec;
import io.github.batchsqs.codec.SnsEnvelope;
import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads the payloads of a class with a handler method for each payload type: a message attribute, or Jackson, decides on the
 * type. A payload for which there is no method cannot be converted.
 */
final class TypedPayloads implements Function<ReceivedMessage, Object> {

    private final PayloadCodec codec;
    private final Envelope envelope;
    private final TypedHandlers handlers;
    private final Types types;
    private final Map<Signature, Consumer<Object>> validations;
    private final boolean notifications;

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
            @Nullable Type unmarked) {}

    /** @param validations validates the payloads of those methods that require it */
    TypedPayloads(
            PayloadCodec codec,
            Envelope envelope,
            TypedHandlers handlers,
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
        MessageAttribute attribute = attributes(published, message).get(types.header());
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

    /** Attributes on the envelope override those of the SQS message. */
    private static Map<String, MessageAttribute> attributes(
            Map<String, MessageAttribute> published, ReceivedMessage message) {
        if (published.isEmpty()) {
            return message.attributes();
        }
        Map<String, MessageAttribute> all = new HashMap<>(message.attributes());
        all.putAll(published);
        return all;
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
}
