/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.send.OutgoingMessage;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes objects that are no payloads: messages, requests of the SDK, objects without content. A codec would write them as
 * {@code {}} or as something that no receiver expects.
 */
final class NoPayloads {

    private static final String RECEIVED =
            ", a received message; pass its payload, and set attributes by OutgoingMessage.builder(queue, payload)";
    private static final String ELEMENTS = "; pass a List, or each element as a message to sendAll(queue, list)";
    private static final String NOTHING =
            ", which has no property that can be written; use a record, a Map or a class with getters";

    /** Whether a class is a message of Spring, of which the core knows the name alone: its types are walked once. */
    private static final ClassValue<Boolean> SPRING_MESSAGES = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return isSpringMessage(type);
        }
    };

    private NoPayloads() {}

    /** Returns why the object is no payload, and what takes it; {@code null} if it is one. */
    static @Nullable String reason(Object payload) {
        boolean many = payload instanceof Collection<?>;
        Object one = payload instanceof Collection<?> all // of the user: what it throws, the codec meets and reports
                ? ForeignCode.call(() -> all.iterator().next()).value()
                : payload;
        String reason = one == null ? null : ofOne(one);
        return one == null || reason == null
                ? null
                : "The payload is " + (many ? "a collection whose first element is " : "") + "of type "
                        + one.getClass().getName() + reason;
    }

    private static @Nullable String ofOne(Object payload) {
        return switch (payload) {
            case OutgoingMessage one ->
                "; pass it to send(OutgoingMessage) without a queue, or several to sendAll(Collection)";
            case OutgoingMessage.Builder one -> "; call build(), and pass the message to send(OutgoingMessage)";
            case ReceivedMessage one -> RECEIVED;
            case Future<?> one -> ", a future; send its result";
            case BaseStream<?, ?> one -> ", a stream" + ELEMENTS;
            case Iterator<?> one -> ", an iterator" + ELEMENTS;
            case Thread one -> ", a thread; send the values that the receiver needs";
            default -> byName(payload.getClass());
        };
    }

    private static @Nullable String byName(Class<?> type) {
        if (type.getName().startsWith("software.amazon.awssdk.")) {
            return ", a type of the AWS SDK; pass the body itself, or OutgoingMessage.builder(queue, body) with attributes and group";
        }
        if (SPRING_MESSAGES.get(type)) {
            return ", a Message of Spring; pass getPayload(), and set headers by"
                    + " OutgoingMessage.builder(queue, payload).attribute(name, value)";
        }
        return type == Object.class ? NOTHING : null;
    }

    private static boolean isSpringMessage(@Nullable Class<?> type) {
        return type != null
                && (type.getName().equals("org.springframework.messaging.Message")
                        || isSpringMessage(type.getSuperclass())
                        || Arrays.stream(type.getInterfaces()).anyMatch(NoPayloads::isSpringMessage));
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
}
