/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.settle;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.Utf8;
import io.github.batchsqs.batch.BatchEntry;
import io.github.batchsqs.batch.Batcher;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.client.SendEntry;
import io.github.batchsqs.client.SentMessage;
import io.github.batchsqs.receive.fetch.Delivery;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages that are never to be handled to the dead-letter queue, in batches.
 *
 * <p>The body and the sender's attributes stay as they are; what failed is told in further attributes as far as SQS's limits
 * (ten attributes, 1 MiB) leave room. The error's message is told, its stack trace is not.
 */
final class DeadLetters {

    /** The class of the exception. */
    static final String ERROR_CLASS = "BatchSqsErrorClass";

    /** The message of the exception, cut to {@value #LONGEST_ERROR} characters. */
    static final String ERROR_MESSAGE = "BatchSqsErrorMessage";

    /** The queue that the message came from. */
    static final String SOURCE_QUEUE = "BatchSqsSourceQueue";

    /** How often it had been delivered. */
    static final String RECEIVE_COUNT = "BatchSqsReceiveCount";

    private static final int MOST_ATTRIBUTES = 10;
    private static final int MOST_BYTES = 1024 * 1024;
    private static final int LONGEST_ERROR = 1_000;

    private final Queue source;
    private final Queue target;
    private final Batcher<SendEntry, SentMessage> batcher;

    DeadLetters(SettleSettings settings, Queue target, Calls calls) {
        this.source = settings.queue();
        this.target = target;
        this.batcher = calls.batcher(
                settings,
                entries -> calls.tell(
                        "SendMessageBatch", entries.size(), () -> calls.client().send(target, entries)));
    }

    Batcher<SendEntry, SentMessage> batcher() {
        return batcher;
    }

    /** Sends the message; completes when the dead-letter queue accepted it, fails when its lease ends first. */
    CompletableFuture<SentMessage> send(Delivery delivery, @Nullable Throwable cause) {
        ReceivedMessage message = delivery.message();
        Map<String, MessageAttribute> attributes = new LinkedHashMap<>(message.attributes());
        long bytes = Utf8.length(message.body());
        for (Map.Entry<String, MessageAttribute> attribute : attributes.entrySet()) {
            bytes += attribute.getValue().sizeInBytes(attribute.getKey());
        }
        for (Map.Entry<String, String> told : whatFailed(message, cause).entrySet()) {
            MessageAttribute attribute = MessageAttribute.string(told.getValue());
            int size = attribute.sizeInBytes(told.getKey());
            if (attributes.size() < MOST_ATTRIBUTES && bytes + size <= MOST_BYTES) {
                attributes.put(told.getKey(), attribute);
                bytes += size;
            }
        }
        SendEntry entry = new SendEntry(
                message.body(),
                attributes,
                message.systemAttributes().get("AWSTraceHeader"),
                null,
                target.fifo() ? groupOf(message) : null,
                target.fifo() ? message.id() : null);
        return batcher.add(
                new BatchEntry<>(entry, bytes, target.fifo() ? entry.groupId() : null, delivery.leaseUntil()));
    }

    private Map<String, String> whatFailed(ReceivedMessage message, @Nullable Throwable cause) {
        Map<String, String> told = new LinkedHashMap<>();
        if (cause != null) {
            told.put(ERROR_CLASS, cause.getClass().getName());
            String text = sendable(String.valueOf(cause.getMessage()));
            if (!text.isEmpty()) {
                told.put(ERROR_MESSAGE, text);
            }
        }
        told.put(SOURCE_QUEUE, source.name());
        told.put(RECEIVE_COUNT, Integer.toString(message.receiveCount()));
        return told;
    }

    private String groupOf(ReceivedMessage message) {
        String group = message.groupId();
        return group != null ? group : source.name();
    }

    /** SQS refuses control characters and unpaired surrogates. */
    private static String sendable(String text) {
        StringBuilder clean = new StringBuilder(Math.min(text.length(), LONGEST_ERROR));
        text.codePoints().limit(LONGEST_ERROR).forEach(c -> {
            boolean allowed = c == '\t'
                    || c == '\n'
                    || c == '\r'
                    || (c >= 0x20 && c <= 0xD7FF)
                    || (c >= 0xE000 && c <= 0xFFFD)
                    || c >= 0x10000;
            clean.appendCodePoint(allowed ? c : '\uFFFD');
        });
        return clean.toString();
    }
}
