/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.micro;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.ReceivedMessage;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** A message that no server has seen. */
record MadeUpMessage(String id, @Nullable String groupId) implements ReceivedMessage {

    private static final Instant SENT = Instant.parse("2026-01-01T00:00:00Z");

    /** Ten of them, as a receive brings them. */
    static List<ReceivedMessage> ten(long first, @Nullable String group) {
        return IntStream.range(0, 10)
                .<ReceivedMessage>mapToObj(i -> new MadeUpMessage("message-" + (first + i), group))
                .toList();
    }

    @Override
    public String receiptHandle() {
        return id;
    }

    @Override
    public String body() {
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
        return SENT;
    }

    @Override
    public Object nativeMessage() {
        return this;
    }
}
