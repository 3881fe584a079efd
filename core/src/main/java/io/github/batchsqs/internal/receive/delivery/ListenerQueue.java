/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.delivery;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.listener.ListenerOptions;
import java.time.Duration;

/**
 * A listener and its queue, as the start found it.
 *
 * @param options the options at the start
 * @param queue the queue
 * @param lease the visibility timeout of each receive and each extension: the queue's own may change while it runs
 */
public record ListenerQueue(ListenerOptions options, Queue queue, Duration lease) {

    /** Returns the listener's id, for the log. */
    public String listener() {
        return options.id();
    }

    /** Returns the queue's name, for the log. */
    public String name() {
        return queue.name();
    }
}
