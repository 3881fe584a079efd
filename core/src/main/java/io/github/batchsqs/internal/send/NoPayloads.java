/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.send.OutgoingMessage;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
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

    private static final String NOTHING =
            ", which has no property that can be written; use a record, a Map or a class with getters";

    private NoPayloads() {}

    /** Returns why the object is no payload, and what takes it; {@code null} if it is one. */
    static @Nullable String reason(Object payload) {
        boolean many = payload instanceof Collection<?> all && !all.isEmpty();
        Object one =
                payload instanceof Collection<?> all && many ? all.iterator().next() : payload;
        String reason = one == null ? null : ofOne(one);
        return reason == null
                ? null
                : "The payload is " + (many ? "a collection whose first element is " : "") + reason;
    }

    private static @Nullable String ofOne(Object payload) {
        String type = payload.getClass().getName();
        if (payload instanceof OutgoingMessage) {
            return "an OutgoingMessage; pass it to send(OutgoingMessage) without a queue, or several to sendAll(Collection)";
        }
        if (payload instanceof OutgoingMessage.Builder) {
            return "the builder of an OutgoingMessage; call build(), and pass the message to send(OutgoingMessage)";
        }
        if (payload instanceof SqsMessage<?> || payload instanceof ReceivedMessage) {
            return "a received message (" + type + "); pass its payload, and set attributes by"
                    + " OutgoingMessage.builder(queue, payload)";
        }
        if (type.startsWith(SDK)) {
            return type + ", a type of the AWS SDK; pass the body itself, or"
                    + " OutgoingMessage.builder(queue, body) with attributes and group";
        }
        if (isSpringMessage(payload.getClass())) {
            return "a Message of Spring (" + type + "); pass getPayload(), and set headers by"
                    + " OutgoingMessage.builder(queue, payload).attribute(name, value)";
        }
        return payload.getClass() == Object.class ? "an Object" + NOTHING : null;
    }

    /** Returns why an object is refused of which nothing was written. */
    static @Nullable String reasonIfEmpty(Object payload, String body) {
        Class<?> type = payload.getClass();
        boolean empty = body.equals("{}")
                && !(payload instanceof Map<?, ?>)
                && !type.isRecord()
                && Arrays.stream(type.getFields()).allMatch(each -> Modifier.isStatic(each.getModifiers()))
                && Arrays.stream(type.getMethods()).noneMatch(NoPayloads::isGetter);
        return empty ? "The payload is of type " + type.getName() + NOTHING : null;
    }

    private static boolean isGetter(Method method) {
        return (method.getName().startsWith("get") || method.getName().startsWith("is"))
                && method.getParameterCount() == 0
                && method.getDeclaringClass() != Object.class;
    }

    private static boolean isSpringMessage(@Nullable Class<?> type) {
        return type != null
                && (type.getName().equals(SPRING_MESSAGE)
                        || isSpringMessage(type.getSuperclass())
                        || Arrays.stream(type.getInterfaces()).anyMatch(NoPayloads::isSpringMessage));
    }
}
