/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.codec;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.SnsNotification;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the payloads of one listener: out of their envelope, as the type that an attribute names or the handler asks for.
 *
 * <p>Called by the thread that runs the handler; safe for use by any number of threads. Whether the type is
 * {@link SnsNotification} or not, the codec sees only what was published.
 */
public final class PayloadReader {

    private final PayloadCodec codec;
    private final Envelope envelope;
    private final Type type;
    private final boolean notification;
    private final @Nullable PayloadTypes types;

    /**
     * @param envelope what is around the payload; {@link Envelope#SNS} if the type is {@link SnsNotification}
     * @param type what the handler asks for
     * @param types other types, chosen by an attribute; {@code null} for none
     */
    public PayloadReader(PayloadCodec codec, Envelope envelope, Type type, @Nullable PayloadTypes types) {
        this.codec = codec;
        this.envelope = envelope;
        this.type = published(type);
        this.notification = !this.type.equals(type);
        this.types = types;
    }

    /** What was published, for a handler that asks for this type: that which an {@link SnsNotification} holds, or itself. */
    public static Type published(Type type) {
        return type instanceof ParameterizedType parameterized && parameterized.getRawType() == SnsNotification.class
                ? parameterized.getActualTypeArguments()[0]
                : type;
    }

    /**
     * Reads one body.
     *
     * @param attributes those of the SQS message; asked for only if they matter
     * @throws ConversionException if it is not in its envelope, not of a known type, or cannot be read as its type
     */
    public Object read(String body, Supplier<Map<String, MessageAttribute>> attributes) {
        if (notification) {
            SnsNotification<String> opened = Objects.requireNonNullElseGet(
                    SnsEnvelope.open(body), () -> new SnsNotification<>(body, null, attributes.get(), null, null));
            return opened.with(payload(opened.payload(), opened.attributes(), attributes));
        }
        Envelope.Content content = envelope.open(body);
        return payload(content.payload(), content.attributes(), attributes);
    }

    /** Attributes on the envelope count before those of the SQS message. */
    private Object payload(
            String text, Map<String, MessageAttribute> published, Supplier<Map<String, MessageAttribute>> received) {
        if (types == null) {
            return codec.<Object>read(text, type);
        }
        Map<String, MessageAttribute> all = received.get();
        if (!published.isEmpty()) {
            all = new HashMap<>(all);
            all.putAll(published);
        }
        return codec.<Object>read(text, types.of(all, type));
    }
}
