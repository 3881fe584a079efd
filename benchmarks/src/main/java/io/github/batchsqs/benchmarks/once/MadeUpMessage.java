/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.once;

import io.github.batchsqs.Acknowledgement;
import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.internal.receive.invoke.Leased;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** A message that no queue has seen. Its id is like those of SQS. */
record MadeUpMessage(String id, String queue) implements SqsMessage<Object>, Leased {

    private static final Acknowledgement NONE = (Acknowledgement) Proxy.newProxyInstance(
            MadeUpMessage.class.getClassLoader(),
            new Class<?>[] {Acknowledgement.class},
            (proxy, method, arguments) -> {
                throw new UnsupportedOperationException(method.getName());
            });

    /** Returns a batch of new messages. */
    static MessageBatch<Object> batch(String queue, int size) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        List<SqsMessage<Object>> messages = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            messages.add(new MadeUpMessage(new UUID(random.nextLong(), random.nextLong()).toString(), queue));
        }
        return new MessageBatch<>(queue, messages, NONE);
    }

    @Override
    public Object payload() {
        return body();
    }

    @Override
    public String body() {
        return SenderApplication.BODY;
    }

    @Override
    public String receiptHandle() {
        return id;
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
    public int receiveCount() {
        return 1;
    }

    @Override
    public Instant sentAt() {
        return Instant.EPOCH;
    }

    @Override
    public @Nullable String groupId() {
        return null;
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
    public boolean isLeaseLost() {
        return false;
    }

    @Override
    public boolean leaseLost() {
        return false;
    }
}
