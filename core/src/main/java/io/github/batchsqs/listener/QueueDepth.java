/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.listener;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.internal.support.SharedAsk;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.internal.support.Words;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How many messages a queue has; see {@link ReceiveGate#whileQueueHasAtMost}. */
final class QueueDepth {

    /** The look-up costs a call, so that all pollers share one, a failed one too. */
    private static final Duration LOOK_UP = Duration.ofSeconds(5);

    private final SharedAsk<Depth> depth;
    private volatile @Nullable Queue found;

    private record Depth(Queue queue, long messages) {}

    QueueDepth(QueueResolver resolver, String queue, TimeSource time) {
        this.depth = new SharedAsk<>("batchsqs-gate", () -> look(resolver, queue), LOOK_UP, LOOK_UP, time);
    }

    private Depth look(QueueResolver resolver, String name) throws InterruptedException {
        Queue queue = found == null ? resolver.resolve(name) : found;
        found = queue;
        return new Depth(queue, resolver.depth(queue));
    }

    /** Returns how the queue has more messages, in words; {@code null} if it has not. */
    @Nullable
    String above(long max) throws InterruptedException {
        Depth last = depth.answer();
        return last.messages() <= max
                ? null
                : "the queue " + last.queue().name() + " has " + Words.count(last.messages(), "message")
                        + ", more than " + max;
    }
}
