/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.delivery;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.payload.PayloadStore;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A listener, its queue as the start found it, and what all stages work with.
 *
 * @param options the options at the start
 * @param queue the queue
 * @param lease the visibility timeout of each receive and each extension: the queue's own may change while it runs
 * @param client the way to SQS
 * @param events record what happens
 * @param time the clock
 * @param random draws the jitter of delays
 * @param payloads stores payloads outside of SQS, or {@code null} if all are in the messages
 * @param failed gets what the engine throws; any thread may call it, with locks held
 */
public record ListenerQueue(
        ListenerOptions options,
        Queue queue,
        Duration lease,
        QueueClient client,
        ListenerEvents events,
        TimeSource time,
        RandomGenerator random,
        @Nullable PayloadStore payloads,
        Consumer<Throwable> failed) {

    /** Returns the listener's id, for the log. */
    public String listener() {
        return options.id();
    }

    /** Returns the queue's name, for the log. */
    public String name() {
        return queue.name();
    }

    /**
     * Returns whether single messages of a group run in group runs; not in manual mode, where only the handler knows when one is
     * done.
     */
    public boolean inGroupRuns() {
        return queue.fifo()
                && options.batchSize() == 1
                && options.acknowledge().mode() != ListenerOptions.AcknowledgeMode.MANUAL;
    }
}
