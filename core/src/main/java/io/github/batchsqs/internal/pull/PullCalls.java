/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.pull;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.client.ReceiveCall;
import io.github.batchsqs.internal.client.VisibilityChange;
import io.github.batchsqs.internal.events.SenderEvent;
import io.github.batchsqs.internal.events.SenderEvents;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.SqsLimits;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.payload.PayloadStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The calls of one receive, and those that settle its messages. A call is made three times if it fails in a way that may pass.
 *
 * <p>Settlements keep their order: one thread makes their calls, one after the other, as long as there are some. A call has up to ten of
 * one kind.
 */
final class PullCalls {

    private static final Logger log = LoggerFactory.getLogger(Puller.class);
    private static final int MAX_ATTEMPTS = 3;
    private static final long PAUSE_NANOS = Duration.ofMillis(100).toNanos();

    /** How long the first settlement waits for others to share its call. */
    private static final long LINGER_NANOS = Duration.ofMillis(5).toNanos();

    final Queue queue;
    final TimeSource time;
    final @Nullable PayloadStore payloads;
    private final QueueClient client;
    private final SenderEvents events;
    private final ConcurrentLinkedQueue<Settling> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();
    private final Set<CompletableFuture<Void>> unsettled;

    /** @param unsettled gets the futures of settlements until they complete */
    PullCalls(
            Queue queue,
            QueueClient client,
            SenderEvents events,
            TimeSource time,
            @Nullable PayloadStore payloads,
            Set<CompletableFuture<Void>> unsettled) {
        this.queue = queue;
        this.client = client;
        this.events = events;
        this.time = time;
        this.payloads = payloads;
        this.unsettled = unsettled;
    }

    /**
     * The delete of a message, or the change of its visibility timeout.
     *
     * @param timeout {@code null} for a delete
     */
    private record Settling(
            ReceivedMessage message, @Nullable Duration timeout, CompletableFuture<Void> future) {

        String operation() {
            return timeout == null ? "DeleteMessageBatch" : "ChangeMessageVisibilityBatch";
        }

        String handle() {
            return message.receiptHandle();
        }

        VisibilityChange change() {
            return new VisibilityChange(handle(), Objects.requireNonNull(timeout));
        }
    }

    /** A call to SQS. */
    @FunctionalInterface
    private interface Call<R> {
        List<R> make() throws InterruptedException;
    }

    List<ReceivedMessage> receive(ReceiveCall call) throws InterruptedException {
        long end = time.nanos() + call.waitTime().toNanos();
        for (int attempt = 1; ; attempt++) {
            ReceiveCall waiting = attempt == 1 ? call : call.waiting(Duration.ofNanos(Math.max(0, end - time.nanos())));
            try {
                return recorded("ReceiveMessage", () -> client.receive(waiting));
            } catch (QueueCallException e) {
                if (!e.retryable() || attempt == MAX_ATTEMPTS) {
                    throw e;
                }
                pause(attempt);
            }
        }
    }

    static void pause(int attempt) throws InterruptedException {
        LockSupport.parkNanos(attempt * PAUSE_NANOS);
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    /** Settles a message; the future completes in any case. */
    @SuppressWarnings("CollectionUndefinedEquality") // futures are compared by identity
    void settle(ReceivedMessage message, @Nullable Duration timeout, CompletableFuture<Void> future) {
        unsettled.add(future);
        CompletableFuture<Void> ignored = future.whenComplete((done, failure) -> unsettled.remove(future));
        waiting.add(new Settling(message, timeout, future));
        if (count.getAndIncrement() == 0) {
            PullThreads.settle(this::settleAll);
        }
    }

    private void settleAll() {
        LockSupport.parkNanos(LINGER_NANOS);
        int settled;
        do {
            List<Settling> batch = new ArrayList<>(SqsLimits.MAX_PER_CALL);
            Settling next = waiting.peek();
            while (next != null
                    && batch.size() < SqsLimits.MAX_PER_CALL
                    && (batch.isEmpty()
                            || next.operation().equals(batch.getFirst().operation()))) {
                batch.add(waiting.remove());
                next = waiting.peek();
            }
            settled = batch.size();
            settle(batch);
        } while (count.addAndGet(-settled) > 0);
    }

    private void settle(List<Settling> batch) {
        List<Settling> open = batch;
        for (int attempt = 1; !open.isEmpty(); attempt++) {
            List<EntryResult<Void>> results = results(open);
            List<Settling> accepted = new ArrayList<>(open.size());
            List<Settling> again = new ArrayList<>(0);
            for (int i = 0; i < open.size(); i++) {
                Settling each = open.get(i);
                if (!(results.get(i) instanceof EntryResult.Rejected<Void> no)) {
                    accepted.add(each);
                } else if (no.retryable() && attempt < MAX_ATTEMPTS) {
                    again.add(each);
                } else {
                    fail(each, no);
                }
            }
            discardPayloads(accepted);
            accepted.forEach(each -> PullThreads.settle(() -> each.future.complete(null))); // its callbacks may block
            open = again;
            LockSupport.parkNanos(again.isEmpty() ? 0 : attempt * PAUSE_NANOS);
        }
    }

    /** Returns a result for each; a call that fails as a whole refuses all of them. */
    private List<EntryResult<Void>> results(List<Settling> batch) {
        String operation = batch.getFirst().operation();
        ForeignCode.Outcome<List<EntryResult<Void>>> called =
                ForeignCode.call(() -> recorded(operation, () -> call(batch)));
        List<EntryResult<Void>> results = called.value();
        if (results != null) {
            return results;
        }
        EntryResult<Void> failed = called.failure() instanceof QueueCallException e
                ? new EntryResult.Rejected<>(e.code(), String.valueOf(e.getMessage()), e.retryable())
                : new EntryResult.Rejected<>("Unexpected", String.valueOf(called.failure()), false);
        return Collections.nCopies(batch.size(), failed);
    }

    private List<EntryResult<Void>> call(List<Settling> batch) throws InterruptedException {
        return batch.getFirst().timeout == null
                ? client.delete(queue, batch.stream().map(Settling::handle).toList())
                : client.changeVisibility(
                        queue, batch.stream().map(Settling::change).toList());
    }

    /** The caller may ignore the future, but not the log. */
    private void fail(Settling settling, EntryResult.Rejected<Void> no) {
        QueueCallException failure = new QueueCallException(
                settling.operation(),
                no.code(),
                "The message " + settling.message.id() + " of the queue '" + queue.name() + "' "
                        + (settling.timeout == null
                                ? "was not deleted, so that it is delivered again ("
                                : "keeps its visibility timeout (")
                        + no.code() + "): " + no.message(),
                no.retryable(),
                null);
        log.warn(failure.getMessage());
        PullThreads.settle(() -> settling.future.completeExceptionally(failure));
    }

    private void discardPayloads(List<Settling> accepted) {
        List<ReceivedMessage> deleted = accepted.stream()
                .filter(each -> each.timeout == null)
                .map(Settling::message)
                .toList();
        if (payloads != null && !deleted.isEmpty()) {
            Throwable failure = ForeignCode.run(() -> payloads.deleted(queue.name(), deleted));
            if (failure != null) { // SQS has accepted the deletes all the same
                log.error(
                        "The payloads of {} deleted messages of {} may remain", deleted.size(), queue.name(), failure);
            }
        }
    }

    private <R> List<R> recorded(String operation, Call<R> call) throws InterruptedException {
        long start = time.nanos();
        int messages = 0;
        String errorCode = "Failed";
        try {
            List<R> result = call.make();
            messages = result.size();
            errorCode = null;
            return result;
        } catch (QueueCallException e) {
            errorCode = e.code();
            throw e;
        } finally {
            events.on(new SenderEvent.ReceiveCall(
                    operation, messages, Duration.ofNanos(time.nanos() - start), errorCode));
        }
    }
}
