/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.listener.ReceiveGate;
import io.github.batchsqs.support.Cached;
import io.github.batchsqs.support.Words;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;

/**
 * Keeps a listener from receiving while another queue has too many messages. The look-up costs a call, so the pollers
 * share one for five seconds, a failed one too.
 */
final class DownstreamGate implements ReceiveGate {

    /** The name of the gate; no bean is called so. */
    static final String NAME = "downstream.max-depth";

    private static final Duration LOOK_UP = Duration.ofSeconds(5);

    /** Shorter than a look-up is kept, and without a call, so that the next look-up is not late. */
    private static final Duration WAIT = Duration.ofSeconds(1);

    private final Queue queue;
    private final int maxDepth;
    private final Cached<Long> depth;

    DownstreamGate(Queue queue, int maxDepth, QueueResolver resolver, TimeSource time) {
        this.queue = queue;
        this.maxDepth = maxDepth;
        this.depth = new Cached<>(() -> resolver.depth(queue), LOOK_UP, time);
    }

    @Override
    public Permission check(String listenerId) throws InterruptedException {
        long messages = depth.get();
        return messages <= maxDepth
                ? Permission.go()
                : Permission.waitFor(
                        WAIT,
                        "the queue " + queue.name() + " has " + Words.count(messages, "message") + ", more than "
                                + maxDepth);
    }
}
