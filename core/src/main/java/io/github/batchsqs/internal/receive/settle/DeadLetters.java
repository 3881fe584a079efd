/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.settle;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.internal.batch.BatchEntry;
import io.github.batchsqs.internal.batch.SettledEntry;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.client.SentMessage;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.support.SqsLimits;
import io.github.batchsqs.internal.support.Utf8;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends messages that are never to be handled to the dead-letter queue, in batches.
 *
 * <p>The body and the sender's attributes stay as they are; further attributes name the failure as far as SQS's limits
 * (ten attributes, 1 MiB) leave room. They carry the error's message, not its stack trace.
 */
final class DeadLetters extends Accumulator<DeadLetters.Move, SentMessage> {

    private static final Logger log = LoggerFactory.getLogger(DeadLetters.class);

    /** The class of the exception. */
    static final String ERROR_CLASS = "BatchSqsErrorClass";

    /** The message of the exception, cut to {@value #LONGEST_ERROR} characters. */
    static final String ERROR_MESSAGE = "BatchSqsErrorMessage";

    /** The queue that the message came from. */
    static final String SOURCE_QUEUE = "BatchSqsSourceQueue";

    /** How often it had been delivered. */
    static final String RECEIVE_COUNT = "BatchSqsReceiveCount";

    /** How often it was tried, if that is more often than it was delivered. */
    static final String ATTEMPTS = "BatchSqsAttempts";

    private static final int LONGEST_ERROR = 1_000;

    /** Control characters and unpaired surrogates. */
    private static final Pattern REFUSED =
            Pattern.compile("[^\\t\\n\\r\\x20-\\x{D7FF}\\x{E000}-\\x{FFFD}\\x{10000}-\\x{10FFFF}]");

    private final Queue target;
    private final Deleter deleter;

    DeadLetters(Queue target, ListenerQueue source, Executor threads, Deleter deleter) {
        super(kind(source), target, source, threads);
        this.target = target;
        this.deleter = deleter;
    }

    private static Kind kind(ListenerQueue source) {
        return new Kind(
                "SendMessageBatch",
                "sending messages of " + source.name() + " to",
                "not accepted by the dead-letter queue",
                "each returns to the queue",
                new FailingCalls.Meaning(
                        "message for the dead-letter queue",
                        "messages that can never be handled return to the queue",
                        "sqs:SendMessage on the dead-letter queue"),
                log);
    }

    /**
     * A claimed message on its way.
     *
     * @param then called ahead of its delete; adds what is to be deleted with it
     * @param otherwise called if the queue did not accept it before its lease ended
     */
    record Move(Delivery delivery, SendEntry entry, Consumer<List<Delivery>> then, Runnable otherwise) {}

    @Override
    public List<EntryResult<SentMessage>> call(List<Move> moves) throws InterruptedException {
        List<SendEntry> entries = moves.stream().map(Move::entry).toList();
        return make(entries.size(), () -> source.client().send(target, entries));
    }

    /** Sends a claimed message, and deletes it when the queue has accepted it; see {@link Move}. No thread waits for that. */
    void move(Delivery delivery, @Nullable Throwable cause, Consumer<List<Delivery>> then, Runnable otherwise) {
        ReceivedMessage message = delivery.message();
        Map<String, MessageAttribute> attributes = new LinkedHashMap<>(message.attributes());
        long bytes = (long) delivery.bytes() - message.body().length() + Utf8.length(message.body());
        for (Map.Entry<String, String> added : whatFailed(delivery, cause).entrySet()) {
            MessageAttribute attribute = MessageAttribute.string(added.getValue());
            int size = attribute.sizeInBytes(added.getKey());
            if (attributes.size() < SqsLimits.MAX_ATTRIBUTES && bytes + size <= SqsLimits.MAX_BYTES) {
                attributes.put(added.getKey(), attribute);
                bytes += size;
            }
        }
        SendEntry entry = new SendEntry(
                message.body(),
                attributes,
                null,
                target.fifo() ? groupOf(message) : null,
                target.fifo() ? message.id() : null);
        Move move = new Move(delivery, entry, then, otherwise);
        Object key = target.fifo() ? entry.groupId() : null;
        batcher().addAll(List.of(new BatchEntry<>(move, bytes, key, delivery.leaseUntil())));
    }

    @Override
    public void deliver(SettledEntry<Move, SentMessage> settled) {
        Move move = settled.entry();
        Throwable failure = settled.cause();
        if (failure != null) {
            follow(move.otherwise);
            gaveUp(List.of(move.delivery), failure);
            return;
        }
        move.delivery.deadLettered();
        List<Delivery> deletes = new ArrayList<>(List.of(move.delivery));
        follow(() -> move.then.accept(deletes)); // the delete follows in any case
        follow(() -> deleter.delete(deletes));
        follow(() -> source.events().on(new ListenerEvent.DeadLettered()));
    }

    private Map<String, String> whatFailed(Delivery delivery, @Nullable Throwable cause) {
        Map<String, String> added = new LinkedHashMap<>();
        if (cause != null) {
            added.put(ERROR_CLASS, cause.getClass().getName());
            String text = sendable(String.valueOf(cause.getMessage()));
            if (!text.isEmpty()) {
                added.put(ERROR_MESSAGE, text);
            }
        }
        added.put(SOURCE_QUEUE, source.name());
        added.put(RECEIVE_COUNT, Integer.toString(delivery.receiveCount()));
        if (delivery.attempts() > delivery.receiveCount()) {
            added.put(ATTEMPTS, Integer.toString(delivery.attempts()));
        }
        return added;
    }

    private String groupOf(ReceivedMessage message) {
        String group = message.groupId();
        return group != null ? group : source.name();
    }

    /** Replaces characters that SQS refuses. */
    private static String sendable(String text) {
        int end = text.offsetByCodePoints(0, Math.min(LONGEST_ERROR, text.codePointCount(0, text.length())));
        return REFUSED.matcher(text.substring(0, end)).replaceAll("\uFFFD");
    }
}
