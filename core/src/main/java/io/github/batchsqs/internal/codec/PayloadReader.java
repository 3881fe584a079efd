/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.codec;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.SnsNotification;
import io.github.batchsqs.codec.ConversionException;
import io.github.batchsqs.codec.PayloadCodec;
import io.github.batchsqs.internal.support.PayloadPointers;
import io.github.batchsqs.payload.PayloadStoreException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the payloads of one listener: opens the envelope, and converts the content to the type that an attribute names
 * or the handler declares.
 *
 * <p>Called by the thread that runs the handler; safe for use by any number of threads. Whether the type is
 * {@link SnsNotification} or not, the codec receives only the published payload.
 *
 * @param codec the codec that reads the contents
 * @param envelope the envelope of the payloads
 * @param notification whether the payloads are returned as {@link SnsNotification}, whatever the envelope
 * @param type the type of the published payloads; {@code null} if the types decide
 * @param types chooses the type by an attribute; {@code null} if the type decides
 */
public record PayloadReader(
        PayloadCodec codec,
        Envelope envelope,
        boolean notification,
        @Nullable Type type,
        @Nullable PayloadTypes types) {

    /**
     * Creates a reader for one payload type.
     *
     * @param codec the codec that reads the contents
     * @param envelope the envelope of the payloads; {@link Envelope#SNS} if the type is {@link SnsNotification}
     * @param type the payload type that the handler declares
     * @param types other types, chosen by an attribute; {@code null} for none
     */
    public PayloadReader(PayloadCodec codec, Envelope envelope, Type type, @Nullable PayloadTypes types) {
        this(codec, envelope, !published(type).equals(type), published(type), types);
    }

    /**
     * Returns the type of the published payload, for a handler that asks for this type: the type argument of an
     * {@link SnsNotification}, or the type itself.
     *
     * @param type the payload type of the handler
     * @return the type of the published payload
     */
    public static Type published(Type type) {
        return type instanceof ParameterizedType parameterized && parameterized.getRawType() == SnsNotification.class
                ? parameterized.getActualTypeArguments()[0]
                : type;
    }

    /**
     * Fails if a body is only a pointer to its payload, for which there is no store. Asks for the attributes only if it may be one.
     *
     * @throws PayloadStoreException with the remedy
     */
    public static void requireInMessage(String body, Supplier<Map<String, MessageAttribute>> attributes) {
        if (PayloadPointers.isPointer(body, attributes)) {
            throw new PayloadStoreException(PayloadPointers.NO_STORE, false, null);
        }
    }

    /**
     * Reads one body.
     *
     * @param body the body as SQS delivered it
     * @param attributes the attributes of the SQS message; called only if they are needed
     * @return the payload
     * @throws ConversionException if the body is not in its envelope, its type is not known, or it cannot be read as
     *     its type
     */
    public Object read(String body, Supplier<Map<String, MessageAttribute>> attributes) {
        if (notification) {
            SnsNotification<String> opened = Objects.requireNonNullElseGet(
                    SnsEnvelope.open(body), () -> new SnsNotification<>(body, null, attributes.get(), null, null));
            return opened.with(payload(opened.payload(), opened.attributes(), attributes));
        }
        Content content = envelope.open(body);
        return payload(content.payload(), content.attributes(), attributes);
    }

    /** Converts the content. Attributes on the envelope override those of the SQS message. */
    private Object payload(
            String text, Map<String, MessageAttribute> published, Supplier<Map<String, MessageAttribute>> received) {
        if (types == null) {
            return codec.<Object>read(text, Objects.requireNonNull(type));
        }
        Map<String, MessageAttribute> all = received.get();
        if (!published.isEmpty()) {
            all = new HashMap<>(all);
            all.putAll(published);
        }
        return codec.<Object>read(text, types.of(all));
    }
}
