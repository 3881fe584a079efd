/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.listener;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.internal.support.Cached;
import io.github.batchsqs.internal.support.Words;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Keeps listeners from receiving while another queue has too many messages; see {@link ReceiveGate#whileQueueHasAtMost}. */
final class DownstreamGate implements ReceiveGate {

    /** The look-up costs a call, so that all pollers share one, a failed one too. */
    private static final Duration LOOK_UP = Duration.ofSeconds(5);

    /** Shorter than a look-up is kept, and without a call, so that the next look-up is not late. */
    private static final Duration WAIT = Duration.ofSeconds(1);

    private final long maxDepth;
    private final Cached<Depth> depth;
    private @Nullable Queue found;

    private record Depth(Queue queue, long messages) {}

    DownstreamGate(String queue, long maxDepth, QueueResolver resolver, TimeSource time) {
        this.maxDepth = maxDepth;
        this.depth = new Cached<>(() -> look(resolver, queue), LOOK_UP, time);
    }

    private Depth look(QueueResolver resolver, String name) throws InterruptedException {
        Queue queue = found == null ? resolver.resolve(name) : found;
        found = queue;
        return new Depth(queue, resolver.depth(queue));
    }

    @Override
    public Permission check(String listenerId) throws InterruptedException {
        Depth last = depth.get();
        return last.messages() <= maxDepth
                ? Permission.go()
                : Permission.waitFor(
                        WAIT,
                        "the queue " + last.queue().name() + " has " + Words.count(last.messages(), "message")
                                + ", more than " + maxDepth);
    }
}
