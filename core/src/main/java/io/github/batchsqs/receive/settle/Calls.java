/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.settle;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.TimeSource;
import io.github.batchsqs.batch.BatchCall;
import io.github.batchsqs.batch.BatchLimits;
import io.github.batchsqs.batch.Batcher;
import io.github.batchsqs.batch.BatcherSettings;
import io.github.batchsqs.batch.EntryResult;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.client.QueueClient;
import io.github.batchsqs.events.ListenerEvents;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * What the three kinds of calls of this stage share: the way to SQS, their threads, and the telling of each call.
 *
 * @param client the way to SQS
 * @param threads run the calls
 * @param await blocks until a call that was handed in is answered
 * @param events told of each call
 * @param time the clock
 * @param random draws the jitter of retries
 */
public record Calls(
        QueueClient client,
        Executor threads,
        Await await,
        ListenerEvents events,
        TimeSource time,
        RandomGenerator random) {

    private static final int MOST_PER_CALL = 10;
    private static final long MOST_BYTES_PER_SEND = 1024 * 1024;
    private static final Backoff RETRY = Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(5));

    <E, R> Batcher<E, R> batcher(SettleSettings settings, BatchCall<E, R> call) {
        BatchLimits limits = new BatchLimits(MOST_PER_CALL, MOST_BYTES_PER_SEND, settings.linger());
        return new Batcher<>(new BatcherSettings(limits, settings.maxInFlight(), RETRY), call, threads, time, random);
    }

    /**
     * Makes a call and tells of it. A failure is worth another try in any case: the message stays hidden as long as its
     * lease lasts, and until then credentials may be renewed and permissions granted.
     */
    <R> List<EntryResult<R>> tell(String operation, int entries, Call<R> call) throws InterruptedException {
        long startedAt = time.nanos();
        try {
            List<EntryResult<R>> results = call.make();
            events.apiCall(operation, entries, since(startedAt), null);
            return results;
        } catch (QueueCallException e) {
            events.apiCall(operation, entries, since(startedAt), e.code());
            throw e.retryable()
                    ? e
                    : new QueueCallException(operation, e.code(), String.valueOf(e.getMessage()), true, e);
        }
    }

    private Duration since(long startedAt) {
        return Duration.ofNanos(time.nanos() - startedAt);
    }

    /** Blocks the calling thread until the promise is completed; fails as the promise does. */
    @FunctionalInterface
    public interface Await {
        void await(CompletableFuture<?> promise) throws InterruptedException, ExecutionException;
    }

    /** A call to SQS. */
    @FunctionalInterface
    interface Call<R> {
        List<EntryResult<R>> make() throws InterruptedException;
    }
}
