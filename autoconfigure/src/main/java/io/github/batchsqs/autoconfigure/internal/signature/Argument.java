/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.signature;

import io.github.batchsqs.Acknowledgement;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.SnsNotification;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.Visibility;
import io.github.batchsqs.internal.codec.SnsEnvelope;
import java.lang.reflect.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.messaging.handler.annotation.support.HeadersMethodArgumentResolver;

/**
 * One argument of a handler method, decided at start.
 *
 * @param value computes the argument from an invocation
 * @param takes the part of the batch that the argument needs
 * @param payload the payload type of the parameter, or {@code null} if it has no payload
 */
record Argument(Value value, Takes takes, @Nullable Type payload) {

    private static final HeadersMethodArgumentResolver HEADERS = new HeadersMethodArgumentResolver();

    /** The part of a batch that an argument needs. */
    enum Takes {
        /** All messages: with their payloads, or as the SDK's objects. */
        BATCH,
        /** The one message of a batch of one: with its payload, or as the SDK's object. */
        MESSAGE,
        /** A detail of the one message. */
        DETAIL,
        /** The manual acknowledgement, for any number of messages. */
        ACKNOWLEDGEMENT,
        /** The visibility, for any number of messages. */
        VISIBILITY
    }

    /** Returns whether the argument requires one message at a time. */
    boolean single() {
        return takes == Takes.MESSAGE || takes == Takes.DETAIL;
    }

    /** Returns whether the argument determines the payload type. */
    boolean hasPayload() {
        return payload != null;
    }

    /** Computes an argument from an invocation, on the thread of the invocation. */
    @FunctionalInterface
    interface Value {
        @Nullable
        Object of(Invocation invocation) throws Exception;
    }

    /**
     * Returns the argument for this parameter.
     *
     * @param parameter the parameter, for its annotations
     * @param type its type, with the type variables of the bean's class resolved
     * @throws UnsupportedParameterException if the parameter cannot be used
     */
    static Argument of(MethodParameter parameter, ResolvableType type) {
        Argument argument = shape(parameter, type);
        if (argument.hasPayload()) {
            Annotations.requireKnown(parameter);
        } else if (Annotations.isSnsPayload(parameter)) {
            throw new UnsupportedParameterException("is annotated with @SnsPayload, but takes no payload");
        }
        return argument;
    }

    /** The order matters: a parameter that is nothing else is a payload. */
    private static Argument shape(MethodParameter parameter, ResolvableType type) {
        Class<?> raw = type.resolve();
        Header header = parameter.getParameterAnnotation(Header.class);
        if (raw == Acknowledgement.class) {
            return new Argument(invocation -> invocation.batch().acknowledgement(), Takes.ACKNOWLEDGEMENT, null);
        }
        if (raw == Visibility.class) {
            return new Argument(invocation -> invocation.batch().visibility(), Takes.VISIBILITY, null);
        }
        if (header != null) {
            return header(parameter, header);
        }
        if (HEADERS.supportsParameter(parameter)) {
            return new Argument(
                    invocation -> HEADERS.resolveArgument(parameter, invocation.springMessage()), Takes.DETAIL, null);
        }
        if (Annotations.isSnsSubject(parameter)) {
            return subject(raw);
        }
        if (raw == List.class) {
            return list(type.getGeneric(0));
        }
        if (raw == software.amazon.awssdk.services.sqs.model.Message.class) {
            return new Argument(invocation -> invocation.message().nativeMessage(), Takes.MESSAGE, null);
        }
        if (raw == MessageBatch.class) {
            return new Argument(Invocation::batch, Takes.BATCH, Payloads.typeOf(type.getGeneric(0)));
        }
        if (raw == SqsMessage.class) {
            return new Argument(Invocation::message, Takes.MESSAGE, Payloads.typeOf(type.getGeneric(0)));
        }
        if (raw == Message.class) {
            return new Argument(Invocation::springMessage, Takes.MESSAGE, Payloads.typeOf(type.getGeneric(0)));
        }
        Payloads.requireNoCollection(type);
        return new Argument(invocation -> invocation.message().payload(), Takes.MESSAGE, Payloads.typeOf(type));
    }

    private static Argument list(ResolvableType element) {
        Class<?> raw = element.resolve();
        if (raw == software.amazon.awssdk.services.sqs.model.Message.class) {
            return new Argument(Invocation::nativeMessages, Takes.BATCH, null);
        }
        if (raw == SqsMessage.class) {
            Type payload = Payloads.typeOf(element.getGeneric(0));
            return new Argument(invocation -> invocation.batch().messages(), Takes.BATCH, payload);
        }
        if (raw == Message.class) {
            return new Argument(Invocation::springMessages, Takes.BATCH, Payloads.typeOf(element.getGeneric(0)));
        }
        return new Argument(invocation -> invocation.batch().payloads(), Takes.BATCH, Payloads.typeOf(element));
    }

    private static Argument header(MethodParameter parameter, Header header) {
        String name = header.name().isEmpty() ? parameter.getParameterName() : header.name();
        if (name == null) {
            throw new UnsupportedParameterException(
                    "does not say which header it is: write @Header(\"name\"), or compile with -parameters");
        }
        return new Argument(invocation -> invocation.header(parameter, name), Takes.DETAIL, null);
    }

    private static Argument subject(@Nullable Class<?> type) {
        if (type != String.class) {
            throw new UnsupportedParameterException("is the subject of a notification, which is a String");
        }
        Value value = invocation -> {
            SnsNotification<String> notification =
                    SnsEnvelope.open(invocation.message().body());
            return notification == null ? null : notification.subject();
        };
        return new Argument(value, Takes.DETAIL, null);
    }
}
