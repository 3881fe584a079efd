/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.inbox;

import io.github.batchsqs.Acknowledgement;
import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.SqsMessage;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A message as the inbox sees it. */
record TestMessage(String id, Object payload, @Nullable String groupId, int receiveCount)
        implements SqsMessage<Object> {

    /** The next one sends it to the dead-letter queue. */
    static final int LAST_RECEIVE = 3;

    TestMessage(String id, Object payload, @Nullable String groupId) {
        this(id, payload, groupId, 1);
    }

    /** Returns the message at its last receive. */
    TestMessage last() {
        return new TestMessage(id, payload, groupId, LAST_RECEIVE);
    }

    static TestMessage of(String id) {
        return new TestMessage(id, id, null);
    }

    static TestMessage inGroup(String group, String id) {
        return new TestMessage(id, id, group);
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
        var none = (Acknowledgement) Proxy.newProxyInstance(
                TestMessage.class.getClassLoader(),
                new Class<?>[] {Acknowledgement.class},
                (proxy, method, arguments) -> {
                    throw new UnsupportedOperationException();
                });
        return new MessageBatch<>(queue, List.copyOf(messages), none);
    }

    @Override
    public String body() {
        return String.valueOf(payload);
    }

    @Override
    public String queue() {
        return "orders";
    }

    @Override
    public String receiptHandle() {
        return "handle-" + id;
    }

    @Override
    public Map<String, MessageAttribute> attributes() {
        return Map.of();
    }

    @Override
    public Map<String, String> systemAttributes() {
        return Map.of();
    }

    @Override
    public Instant sentAt() {
        return Instant.EPOCH;
    }

    @Override
    public @Nullable String deduplicationId() {
        return null;
    }

    @Override
    public @Nullable String sequenceNumber() {
        return null;
    }

    @Override
    public Object nativeMessage() {
        return this;
    }

    @Override
    public boolean leaseLost() {
        return false;
    }
}
