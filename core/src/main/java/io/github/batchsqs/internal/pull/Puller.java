/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.pull;

import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.codec.PayloadCodec;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.client.ReceiveCall;
import io.github.batchsqs.internal.client.VisibilityChange;
import io.github.batchsqs.internal.codec.Envelope;
import io.github.batchsqs.internal.codec.PayloadReader;
import io.github.batchsqs.internal.events.SenderEvent;
import io.github.batchsqs.internal.events.SenderEvents;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.SafeLog;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.payload.PayloadStore;
import io.github.batchsqs.pull.PulledMessages;
import io.github.batchsqs.pull.ReceiveRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Receives for callers, on their threads, and settles what they received, on threads of the sender; the template's part that
 * receives. Either is one call, and up to two more for what failed in a way that may pass. Safe for use by any thread.
 *
 * @param client the way to SQS
 * @param codec reads the payloads
 * @param events the events of a queue, which record its calls
 * @param time the clock
 * @param threads run the settlements, each on a thread of its own: callbacks of its future may block
 * @param payloads stores payloads outside of SQS, or {@code null} if all are in the messages
 * @param unsettled has the futures of settlements until they complete; safe for use by any thread
 */
public record Puller(
        QueueClient client,
        PayloadCodec codec,
        Function<String, SenderEvents> events,
        TimeSource time,
        Executor threads,
        @Nullable PayloadStore payloads,
        Set<CompletableFuture<Void>> unsettled) {

    private static final SafeLog log = new SafeLog(LoggerFactory.getLogger(Puller.class));
    private static final int MAX_ATTEMPTS = 3;
    private static final long PAUSE_NANOS = Duration.ofMillis(100).toNanos();
    private static final String DELETE = "DeleteMessageBatch";
    private static final String CHANGE = "ChangeMessageVisibilityBatch";

    /**
     * Receives messages, and waits for them.
     *
     * @throws InterruptedException if the calling thread is interrupted before there are messages
     */
    public <T> PulledMessages<T> receive(Queue queue, ReceiveRequest<T> request) throws InterruptedException {
        PayloadReader reader = new PayloadReader(codec, Envelope.NONE, request.payloadType(), null);
        Map<String, Pulled<T>> received = new LinkedHashMap<>();
        for (ReceivedMessage each : received(queue, request)) { // the newest handle of a message counts
            received.put(each.id(), new Pulled<>(each, queue, this, reader, request.visibilityTimeout()));
        }
        List<Pulled<T>> messages = List.copyOf(received.values());
        return new PulledMessages<>(
                messages, () -> settle(queue, null, messages), () -> settle(queue, Duration.ZERO, messages.reversed()));
    }

    private List<ReceivedMessage> received(Queue queue, ReceiveRequest<?> request) throws InterruptedException {
        String attemptId = queue.fifo() ? UUID.randomUUID().toString() : null;
        Duration wait = request.waitTime();
        long end = time.nanos() + wait.toNanos();
        for (int attempt = 1; ; attempt++) {
            ReceiveCall call =
                    new ReceiveCall(queue, request.maxMessages(), wait, request.visibilityTimeout(), attemptId);
            ForeignCode.Outcome<List<ReceivedMessage>> outcome =
                    recorded(queue, "ReceiveMessage", () -> client.receive(call));
            boolean last = attempt == MAX_ATTEMPTS;
            switch (outcome.failure()) {
                case null -> {
                    return Objects.requireNonNull(outcome.value());
                }
                case QueueCallException e when e.retryable() && !last -> LockSupport.parkNanos(attempt * PAUSE_NANOS);
                case InterruptedException e -> throw e;
                case RuntimeException e -> throw e;
                case Throwable e -> throw new IllegalStateException(e);
            }
            wait = Duration.ofSeconds(TimeUnit.NANOSECONDS.toSeconds(Math.max(0, end - time.nanos())));
        }
    }

    /** {@return a future that completes when the settlements so far have ended} */
    public CompletableFuture<Void> flush() {
        return CompletableFuture.allOf(unsettled.toArray(CompletableFuture<?>[]::new))
                .handle((done, failure) -> null);
    }

    /**
     * Settles those of the messages that are not settled.
     *
     * @param timeout the new visibility timeout; {@code null} to delete them
     */
    CompletableFuture<Void> settle(Queue queue, @Nullable Duration timeout, List<? extends Pulled<?>> messages) {
        CompletableFuture<Void> future = new CompletableFuture<>();
        List<ReceivedMessage> open = messages.stream()
                .filter(each -> each.isSettledBy(future))
                .map(Pulled::original)
                .toList();
        settle(queue, timeout, open, future);
        return CompletableFuture.allOf(
                messages.stream().map(each -> each.settlement.get()).toArray(CompletableFuture<?>[]::new));
    }

    /** Settles messages; the future completes in any case. */
    @SuppressWarnings("CollectionUndefinedEquality") // futures are compared by identity
    void settle(
            Queue queue, @Nullable Duration timeout, List<ReceivedMessage> messages, CompletableFuture<Void> future) {
        unsettled.add(future);
        threads.execute(() -> {
            QueueCallException failure = failure(queue, timeout, messages);
            unsettled.remove(future);
            boolean ignored = failure == null ? future.complete(null) : future.completeExceptionally(failure);
        });
    }

    /** Settles messages and returns why one was not settled; {@code null} if all were. The caller may ignore it, but not the log. */
    private @Nullable QueueCallException failure(
            Queue queue, @Nullable Duration timeout, List<ReceivedMessage> messages) {
        QueueCallException failure = null;
        List<ReceivedMessage> open = messages;
        for (int attempt = 1; !open.isEmpty(); attempt++) {
            List<EntryResult<Void>> results = results(queue, timeout, open);
            List<ReceivedMessage> accepted = new ArrayList<>(open.size());
            List<ReceivedMessage> again = new ArrayList<>(0);
            for (int i = 0; i < open.size(); i++) {
                ReceivedMessage each = open.get(i);
                if (!(results.get(i) instanceof EntryResult.Rejected<Void> no)) {
                    accepted.add(each);
                } else if (no.retryable() && attempt < MAX_ATTEMPTS) {
                    again.add(each);
                } else {
                    failure = failure(queue, timeout, each, no);
                    log.warn("{}", failure.getMessage());
                }
            }
            accepted(queue, timeout, accepted);
            open = again;
            LockSupport.parkNanos(open.isEmpty() ? 0 : attempt * PAUSE_NANOS);
        }
        return failure;
    }

    /** Returns a result for each message; a call that fails as a whole refuses all of them. */
    private List<EntryResult<Void>> results(Queue queue, @Nullable Duration timeout, List<ReceivedMessage> messages) {
        Stream<String> handles = messages.stream().map(ReceivedMessage::receiptHandle);
        ForeignCode.Outcome<List<EntryResult<Void>>> called = timeout == null
                ? recorded(queue, DELETE, () -> client.delete(queue, handles.toList()))
                : recorded(queue, CHANGE, () -> {
                    var changes = handles.map(each -> new VisibilityChange(each, timeout));
                    return client.changeVisibility(queue, changes.toList());
                });
        return switch (called.failure()) {
            case null -> Objects.requireNonNull(called.value());
            case QueueCallException e -> refused(messages, e.code(), String.valueOf(e.getMessage()), e.retryable());
            case Throwable e -> refused(messages, "Unexpected", e.toString(), false);
        };
    }

    private static List<EntryResult<Void>> refused(List<?> all, String code, String message, boolean retryable) {
        return Collections.nCopies(all.size(), new EntryResult.Rejected<>(code, message, retryable));
    }

    /** SQS has accepted changes; the payload of a deleted message is of no use any more. */
    private void accepted(Queue queue, @Nullable Duration timeout, List<ReceivedMessage> messages) {
        if (payloads != null && timeout == null && !messages.isEmpty()) {
            Throwable failure = ForeignCode.run(() -> payloads.deleted(queue.name(), messages));
            if (failure != null) {
                log.error(
                        "The payloads of {} deleted messages of {} may remain", messages.size(), queue.name(), failure);
            }
        }
    }

    /** Makes the failure of a message that was not settled. */
    static QueueCallException failure(
            Queue queue, @Nullable Duration timeout, ReceivedMessage message, EntryResult.Rejected<Void> no) {
        String kept =
                timeout == null ? "was not deleted, so that it is delivered again" : "keeps its visibility timeout";
        return new QueueCallException(
                timeout == null ? DELETE : CHANGE,
                no.code(),
                "The message " + message.id() + " of the queue '" + queue.name() + "' " + kept + " (" + no.code()
                        + "): " + no.message(),
                no.retryable(),
                null);
    }

    /** Makes a call and records it. */
    private <R> ForeignCode.Outcome<List<R>> recorded(Queue queue, String operation, Callable<List<R>> call) {
        long start = time.nanos();
        ForeignCode.Outcome<List<R>> outcome = ForeignCode.call(call);
        Duration took = Duration.ofNanos(time.nanos() - start);
        int messages = outcome.value() == null ? 0 : outcome.value().size();
        String failed = outcome.failure() instanceof QueueCallException e ? e.code() : "Failed";
        String errorCode = outcome.failure() == null ? null : failed;
        events.apply(queue.name()).on(new SenderEvent.ReceiveCall(operation, messages, took, errorCode));
        return outcome;
    }
}
