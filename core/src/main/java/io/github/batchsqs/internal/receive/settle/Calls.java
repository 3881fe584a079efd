/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.settle;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.batch.BatchLimits;
import io.github.batchsqs.internal.batch.BatcherSettings;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.support.SqsLimits;
import io.github.batchsqs.internal.support.Supervised;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.payload.PayloadStore;
import java.time.Duration;
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

    /** Calls of a kind that may be open at once in any case. */
    private static final int MIN_IN_FLIGHT = 32;

    private static final Backoff RETRY = Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(5));

    BatcherSettings settings(ListenerOptions options) {
        BatchLimits limits = new BatchLimits(
                SqsLimits.MAX_PER_CALL,
                SqsLimits.MAX_BYTES,
                options.acknowledge().linger());
        // As many as receives, since these bring as many messages as it settles
        int inFlight = Math.max(MIN_IN_FLIGHT, options.pollers().max());
        return new BatcherSettings(limits, inFlight, RETRY);
    }

    /** Runs a step that follows a call, on the call's thread: what it throws ends the run. */
    void follow(Runnable step) {
        Supervised.run(step, failed);
    }
}
