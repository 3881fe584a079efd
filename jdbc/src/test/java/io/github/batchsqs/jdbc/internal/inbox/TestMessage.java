/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.inbox;

import io.github.batchsqs.Acknowledgement;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.internal.receive.invoke.Leased;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A message as the inbox sees it. */
record TestMessage(String id, Object payload, @Nullable String groupId, int receiveCount, AtomicBoolean leaseLost) {

    /** The next one sends it to the dead-letter queue. */
    static final int LAST_RECEIVE = 3;

    TestMessage(String id, Object payload, @Nullable String groupId) {
        this(id, payload, groupId, 1, new AtomicBoolean());
    }

    /** Returns the message at its last receive. */
    TestMessage last() {
        return at(LAST_RECEIVE);
    }

    TestMessage at(int receive) {
        return new TestMessage(id, payload, groupId, receive, leaseLost);
    }

    static TestMessage of(String id) {
        return new TestMessage(id, id, null);
    }

    /** Returns a message of the group that the first letter of its id names. */
    static TestMessage inGroup(String id) {
        return new TestMessage(id, id, id.substring(0, 1));
    }

    static MessageBatch<Object> batch(String... ids) {
        return batch(Stream.of(ids).map(TestMessage::of).toList());
    }

    /** A batch of a FIFO queue. */
    static MessageBatch<Object> fifo(TestMessage... messages) {
        return batch("orders.fifo", List.of(messages));
    }

    static MessageBatch<Object> batch(List<TestMessage> messages) {
        return batch("orders", messages);
    }

    private static MessageBatch<Object> batch(String queue, List<TestMessage> messages) {
        Acknowledgement none = answering(Acknowledgement.class, (proxy, method, arguments) -> {
            throw new UnsupportedOperationException();
        });
        return new MessageBatch<>(
                queue, messages.stream().map(TestMessage::message).toList(), none);
    }

    @SuppressWarnings({"unchecked", "ReferenceEquality"}) // it equals itself alone
    private SqsMessage<Object> message() {
        return (SqsMessage<Object>) answering(Leased.class, (proxy, method, arguments) -> switch (method.getName()) {
            case "id", "toString" -> id;
            case "payload" -> payload;
            case "groupId" -> groupId;
            case "receiveCount" -> receiveCount;
            case "isLeaseLost" -> leaseLost.get();
            case "leaseLost" -> true; // it was lost once: that one remains, and says nothing of the lease since
            case "hashCode" -> id.hashCode();
            case "equals" -> proxy == arguments[0];
            default -> throw new UnsupportedOperationException(method.getName());
        });
    }

    private static <T> T answering(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type, SqsMessage.class}, handler));
    }
}
