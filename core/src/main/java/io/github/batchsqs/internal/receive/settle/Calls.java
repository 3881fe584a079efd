/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.settle;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.client.EntryResult;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.client.QueueClient;
import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.batch.BatchCall;
import io.github.batchsqs.internal.batch.BatchLimits;
import io.github.batchsqs.internal.batch.Batcher;
import io.github.batchsqs.internal.batch.BatcherSettings;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.support.EngineStage;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.SqsErrors;
import io.github.batchsqs.internal.support.SqsLimits;
import io.github.batchsqs.internal.support.Supervised;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.payload.PayloadStore;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What the three kinds of calls of this stage share: the way to SQS, their threads, and the record of each call.
 *
 * @param client the way to SQS
 * @param threads run the deletes and the sends to dead-letter queues
 * @param visibilityThreads run the visibility changes
 * @param events record each call
 * @param time the clock
 * @param random draws the jitter of retries
 * @param payloads stores payloads outside of SQS, or {@code null} if all are in the messages
 * @param failed gets what the engine throws beside a call
 */
public record Calls(
        QueueClient client,
        Executor threads,
        Executor visibilityThreads,
        ListenerEvents events,
        TimeSource time,
        RandomGenerator random,
        @Nullable PayloadStore payloads,
        Consumer<Throwable> failed) {

    private static final String UNEXPECTED = "Unexpected";
    /** Calls of a kind that may be open at once in any case. */
    private static final int MIN_IN_FLIGHT = 32;

    private static final Backoff RETRY = Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(5));

    <E, R> Batcher<E, R> batcher(ListenerQueue source, BatchCall<E, R> call, Executor callThreads) {
        BatchLimits limits = new BatchLimits(
                SqsLimits.MAX_PER_CALL,
                SqsLimits.MAX_BYTES,
                source.options().acknowledge().linger());
        return new Batcher<>(
                new BatcherSettings(limits, inFlight(source.options()), RETRY), call, callThreads, time, random);
    }

    /** Returns how many calls of a kind may be open at once: as many as receives, since these bring as many messages as it settles. */
    public static int inFlight(ListenerOptions options) {
        return Math.max(MIN_IN_FLIGHT, options.pollers().max());
    }

    /**
     * Makes a call and records it. A failure is worth another try in any case: the message stays hidden as long as its
     * lease lasts, and until then credentials may be renewed and permissions granted.
     */
    <R> List<EntryResult<R>> make(CallOutage outage, int entries, Call<R> call) throws InterruptedException {
        String operation = outage.operation();
        long startedAt = time.nanos();
        OpenCalls.OpenCall open = outage.begin(entries);
        ForeignCode.Outcome<List<EntryResult<R>>> outcome = ForeignCode.call(call::make);
        switch (outcome.failure()) {
            case null -> {}
            case InterruptedException e -> {
                if (outage.interrupted(open)) {
                    ended(operation, entries, startedAt, SqsErrors.NO_RESPONSE);
                }
                throw e;
            }
            case QueueCallException e ->
                throw failed(outage, open, startedAt, e.retryable() ? e : retryable(operation, e));
            case Throwable e -> {
                events.on(new ListenerEvent.Unexpected(EngineStage.SETTLE.text(), e));
                String message = operation + " threw " + e.getClass().getName();
                throw failed(outage, open, startedAt, unexpected(operation, message, e));
            }
        }
        List<EntryResult<R>> results = Objects.requireNonNullElse(outcome.value(), List.of());
        if (results.size() != entries) {
            String message = operation + " of " + entries + " entries has results for " + results.size();
            throw failed(outage, open, startedAt, unexpected(operation, message, null));
        }
        ended(operation, entries, startedAt, null);
        outage.succeeded(open, results);
        return results;
    }

    private static QueueCallException unexpected(String operation, String message, @Nullable Throwable cause) {
        return new QueueCallException(operation, UNEXPECTED, message, true, cause);
    }

    private QueueCallException failed(
            CallOutage outage, OpenCalls.OpenCall open, long startedAt, QueueCallException failure) {
        if (!outage.failed(open, failure)) {
            ended(outage.operation(), open.entries(), startedAt, failure.code());
        }
        return failure;
    }

    private static QueueCallException retryable(String operation, QueueCallException e) {
        return new QueueCallException(operation, e.code(), String.valueOf(e.getMessage()), true, e);
    }

    /** Records the calls that are overdue. */
    void recordOverdue(CallOutage outage) {
        outage.recordOverdue(entries -> events.on(
                new ListenerEvent.ApiCall(outage.operation(), entries, outage.failingFor(), SqsErrors.NO_RESPONSE)));
    }

    private void ended(String operation, int entries, long startedAt, @Nullable String code) {
        events.on(new ListenerEvent.ApiCall(operation, entries, since(startedAt), code));
    }

    /** Runs a step that follows a call, on the call's thread: what it throws ends the run. */
    void follow(Runnable step) {
        Supervised.run(step, failed);
    }

    private Duration since(long startedAt) {
        return Duration.ofNanos(time.nanos() - startedAt);
    }

    /** A call to SQS. */
    @FunctionalInterface
    interface Call<R> {
        List<EntryResult<R>> make() throws InterruptedException;
    }
}
