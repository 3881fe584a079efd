/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.settle;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.internal.batch.BatchLimits;
import io.github.batchsqs.internal.batch.BatcherSettings;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.support.SqsLimits;
import io.github.batchsqs.internal.support.Supervised;
import io.github.batchsqs.listener.ListenerOptions;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * What the three kinds of calls of this stage share.
 *
 * @param source whose calls these are
 * @param threads run the deletes and the sends to dead-letter queues
 * @param visibilityThreads run the visibility changes
 * @param failed gets what the engine throws beside a call
 */
public record Calls(ListenerQueue source, Executor threads, Executor visibilityThreads, Consumer<Throwable> failed) {

    /** Calls of a kind that may be open at once in any case. */
    private static final int MIN_IN_FLIGHT = 32;

    private static final Backoff RETRY = Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(5));

    BatcherSettings settings() {
        ListenerOptions options = source.options();
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
