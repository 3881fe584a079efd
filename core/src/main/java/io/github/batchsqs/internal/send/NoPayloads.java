/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.send.OutgoingMessage;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes objects that are no payloads: messages, requests of the SDK, objects without content. A codec would write them as
 * {@code {}} or as something that no receiver expects.
 */
final class NoPayloads {

    private static final String SDK = "software.amazon.awssdk.";
    private static final String SPRING_MESSAGE = "org.springframework.messaging.Message";

    private NoPayloads() {}

    /** Returns why the object is no payload, and what takes it; {@code null} if it is one. */
    static @Nullable String reason(Object payload) {
        if (payload instanceof Collection<?> many) {
            Object first = many.isEmpty() ? null : many.iterator().next();
            if (first instanceof OutgoingMessage) {
                return "The payload is a collection of OutgoingMessages; pass it to sendAll(Collection)";
            }
            String reason = first == null ? null : ofOne(first);
            return reason == null ? null : "The payload is a collection whose first element is wrong. " + reason;
        }
        return ofOne(payload);
    }

    private static @Nullable String ofOne(Object payload) {
        String type = payload.getClass().getName();
        if (payload instanceof OutgoingMessage) {
            return "The payload is an OutgoingMessage; pass it to send(OutgoingMessage) without a queue";
        }
        if (payload instanceof OutgoingMessage.Builder) {
            return "The payload is the builder of an OutgoingMessage; call build(), and pass the message to"
                    + " send(OutgoingMessage)";
        }
        if (payload instanceof SqsMessage<?> || payload instanceof ReceivedMessage) {
            return "The payload is a received message (" + type + "); pass its payload, and set attributes by"
                    + " OutgoingMessage.builder(queue, payload)";
        }
        if (type.startsWith(SDK)) {
            return "The payload is " + type + ", a type of the AWS SDK; pass the body itself, or"
                    + " OutgoingMessage.builder(queue, body) with attributes and group";
        }
        if (isSpringMessage(payload.getClass())) {
            return "The payload is a Message of Spring (" + type + "); pass getPayload(), and set headers by"
                    + " OutgoingMessage.builder(queue, payload).attribute(name, value)";
        }
        return payload.getClass() == Object.class ? nothing(payload) : null;
    }

    /** Returns why an object is refused of which nothing was written. */
    static @Nullable String reasonIfEmpty(Object payload, String body) {
        return body.equals("{}")
                        && !(payload instanceof Map<?, ?>)
                        && !payload.getClass().isRecord()
                        && isEmpty(payload.getClass())
                ? nothing(payload)
                : null;
    }

    private static String nothing(Object payload) {
        return "The payload of type " + payload.getClass().getName()
                + " has no property that can be written; use a record, a Map or a class with getters";
    }

    private static boolean isEmpty(Class<?> type) {
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            for (var field : each.getDeclaredFields()) {
                if (Modifier.isPublic(field.getModifiers()) && !Modifier.isStatic(field.getModifiers())) {
                    return false;
                }
            }
        }
        for (Method method : type.getMethods()) {
            boolean getter =
                    method.getName().startsWith("get") || method.getName().startsWith("is");
            if (getter && method.getParameterCount() == 0 && method.getDeclaringClass() != Object.class) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSpringMessage(@Nullable Class<?> type) {
        if (type == null) {
            return false;
        }
        if (type.getName().equals(SPRING_MESSAGE)) {
            return true;
        }
        for (Class<?> each : type.getInterfaces()) {
            if (isSpringMessage(each)) {
                return true;
            }
        }
        return isSpringMessage(type.getSuperclass());
    }
}
