/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import io.github.batchsqs.TimeSource;
import io.github.batchsqs.batch.BatchCall;
import io.github.batchsqs.batch.BatchEntry;
import io.github.batchsqs.batch.BatchLimits;
import io.github.batchsqs.batch.Batcher;
import io.github.batchsqs.batch.BatcherSettings;
import io.github.batchsqs.batch.EntryFailedException;
import io.github.batchsqs.batch.EntryResult;
import io.github.batchsqs.batch.SettledEntry;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.client.QueueClient;
import io.github.batchsqs.client.SendEntry;
import io.github.batchsqs.client.SentMessage;
import io.github.batchsqs.events.SenderEvents;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends to one queue: a {@link Batcher} whose lanes are the message groups of a FIFO queue, and its threads.
 *
 * <p>Takes messages for which there is room in the buffer, and gives the room back when they are settled.
 */
final class QueueSender {

    private static final Logger log = LoggerFactory.getLogger(QueueSender.class);
    private static final int MAX_ENTRIES = 10;
    private static final String OPERATION = "SendMessageBatch";

    private final Queue queue;
    private final SenderOptions options;
    private final QueueClient client;
    private final SenderEvents events;
    private final TimeSource time;
    private final SendBuffer buffer;
    private final SenderThreads threads;
    private final Batcher<BufferedMessage, SentMessage> batcher;

    QueueSender(
            Queue queue,
            SenderOptions options,
            QueueClient client,
            SenderEvents events,
            TimeSource time,
            SendBuffer buffer) {
        this.queue = queue;
        this.options = options;
        this.client = client;
        this.events = events;
        this.time = time;
        this.buffer = buffer;
        this.threads = new SenderThreads(queue.name());
        this.batcher = new Batcher<>(
                new BatcherSettings(
                        new BatchLimits(MAX_ENTRIES, options.maxBatchBytes(), options.linger()),
                        options.maxInFlight(),
                        options.retry()),
                new Call(),
                threads.calls(),
                time,
                new SplittableRandom());
    }

    Queue queue() {
        return queue;
    }

    SenderEvents events() {
        return events;
    }

    void start() {
        threads.startTimer(this::runTimer);
    }

    /** Takes messages at once, in order. Their promises complete, whatever happens. */
    void add(List<BufferedMessage> messages) {
        long now = time.nanos();
        long deadline = now + options.deliveryTimeout().toNanos();
        List<BatchEntry<BufferedMessage>> entries = new ArrayList<>(messages.size());
        for (BufferedMessage each : messages) {
            each.bufferedAt = now;
            entries.add(new BatchEntry<>(each, each.bytes, queue.fifo() ? each.entry.groupId() : null, deadline));
            events.buffered();
        }
        List<CompletableFuture<SentMessage>> ignored = batcher.addAll(entries); // the call is told what became of them
    }

    CompletableFuture<Void> flush() {
        return batcher.flush();
    }

    /** Fails what is not settled yet, and interrupts its calls. */
    void close() {
        batcher.close();
        threads.close();
    }

    private void runTimer() {
        try {
            batcher.runTimer();
        } catch (InterruptedException e) {
            // Nobody interrupts the timer but the end of the process.
            Thread.currentThread().interrupt();
        }
    }

    private final class Call implements BatchCall<BufferedMessage, SentMessage> {

        @Override
        public List<EntryResult<SentMessage>> call(List<BufferedMessage> batch) throws InterruptedException {
            return makeCall(batch);
        }

        @Override
        public void settled(List<? extends SettledEntry<BufferedMessage, SentMessage>> messages) {
            long[] bytes = new long[messages.size()];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = messages.get(i).entry().bytes;
            }
            buffer.giveBack(bytes); // at once, so that whoever waits for room is woken once
            for (SettledEntry<BufferedMessage, SentMessage> each : messages) {
                settle(each.entry(), each.result(), each.cause());
            }
        }
    }

    private List<EntryResult<SentMessage>> makeCall(List<BufferedMessage> batch) throws InterruptedException {
        announce(batch);
        List<SendEntry> entries = batch.stream().map(each -> each.entry).toList();
        long start = time.nanos();
        String errorCode = "Failed";
        try {
            List<EntryResult<SentMessage>> results = client.send(queue, entries);
            errorCode = null;
            return results;
        } catch (QueueCallException e) {
            errorCode = e.code();
            throw e;
        } finally {
            events.apiCall(OPERATION, entries.size(), Duration.ofNanos(time.nanos() - start), errorCode);
        }
    }

    private void announce(List<BufferedMessage> batch) {
        long bytes = 0;
        int again = 0;
        for (BufferedMessage each : batch) {
            bytes += each.bytes;
            again += each.calls++ > 0 ? 1 : 0;
        }
        events.sending(batch.size(), bytes);
        if (again > 0) {
            events.retried(again);
        }
    }

    private void settle(BufferedMessage message, @Nullable SentMessage sent, @Nullable Throwable failure) {
        if (sent != null) {
            tell(() -> events.sent(Duration.ofNanos(time.nanos() - message.bufferedAt)));
            message.promise.complete(new SendResult(
                    queue.name(), sent.messageId(), sent.sequenceNumber(), message.entry.deduplicationId()));
        } else {
            SendFailedException cause = translate(message.message, failure);
            tell(() -> events.failed(cause.code()));
            message.promise.completeExceptionally(cause);
        }
    }

    /** No promise may hang on it. */
    private void tell(Runnable event) {
        try {
            event.run();
        } catch (RuntimeException e) {
            log.error("What is told of the messages to {} failed", queue.name(), e);
        }
    }

    private SendFailedException translate(OutgoingMessage message, @Nullable Throwable failure) {
        if (!(failure instanceof EntryFailedException entry)) {
            return new SendFailedException(
                    message.queue(), Batcher.CALL_FAILED, String.valueOf(failure), 0, false, failure);
        }
        String reason = String.valueOf(entry.getMessage());
        return switch (entry.code()) {
            case Batcher.DEADLINE_EXCEEDED ->
                failed(
                        message,
                        entry,
                        entry.code(),
                        "delivery-timeout (" + options.deliveryTimeout() + ") passed. " + reason,
                        true);
            case Batcher.CLOSED -> failed(message, entry, entry.code(), reason, true);
            case Batcher.CALL_FAILED -> failed(message, entry, codeOf(entry), reason, false);
            default -> failed(message, entry, entry.code(), reason, false);
        };
    }

    private static String codeOf(EntryFailedException failure) {
        return failure.getCause() instanceof QueueCallException call ? call.code() : failure.code();
    }

    private static SendFailedException failed(
            OutgoingMessage message, EntryFailedException entry, String code, String reason, boolean retryable) {
        return new SendFailedException(message.queue(), code, reason, entry.attempts(), retryable, entry.getCause());
    }
}
