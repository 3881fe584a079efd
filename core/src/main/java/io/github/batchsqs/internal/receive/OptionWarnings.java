/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import io.github.batchsqs.client.QueueAttributes;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ListenerOptions.AcknowledgeMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Finds options that are valid but probably a mistake. The log names them in one line at each start. The listener runs in any case. */
final class OptionWarnings {

    private static final Duration SHORT_STOP = Duration.ofSeconds(1);

    static final String NO_DEAD_LETTER_QUEUE =
            "the queue has no dead-letter queue, so a message that always fails comes back until its retention period ends"
                    + " (give the queue a redrive policy, or set failure.dead-letter)";

    private OptionWarnings() {}

    /** Returns a clause for each mistake with its effect and the remedy; empty if there is none. */
    static List<String> find(ListenerOptions options, Duration lease, QueueAttributes queue) {
        List<String> found = new ArrayList<>(0);
        if (queue.redrive() == null && options.failure().deadLetter().equals(ListenerOptions.Failure.REDRIVE_POLICY)) {
            found.add(NO_DEAD_LETTER_QUEUE);
        }
        if (lease.compareTo(options.batchLinger()) <= 0) {
            found.add("the visibility timeout (" + Check.text(lease) + ") is not above batch-linger ("
                    + Check.text(options.batchLinger())
                    + "), so messages are extended before they run at all (raise the one or lower the other)");
        }
        if (options.failure().retryIndividually() && options.acknowledge().mode() != AcknowledgeMode.ON_SUCCESS) {
            found.add(
                    "failure.retry-individually has no effect unless acknowledge.mode is on-success (remove one of the two)");
        }
        if (queue.redrive() != null && queue.redrive().maxReceiveCount() == 1 && options.prefetch() != 0) {
            found.add("the queue's redrive policy has maxReceiveCount 1, so each stop sends the messages that wait for"
                    + " an invocation to the dead-letter queue without running them (give it a maxReceiveCount of at"
                    + " least 3, or set prefetch: 0 so that fewer wait)");
        }
        if (options.waitTime().isZero() && options.pollers().minInterval().isZero()) {
            found.add(
                    "wait-time is 0s, so an empty queue is polled again at once, with a call each time (set wait-time: 20s,"
                            + " or pollers.min-interval)");
        }
        withoutUnit(options, lease, found);
        return found;
    }

    /** Milliseconds, where seconds are meant. */
    private static void withoutUnit(ListenerOptions options, Duration lease, List<String> found) {
        Duration stop = options.shutdownTimeout();
        if (stop.compareTo(SHORT_STOP) < 0) {
            found.add("shutdown-timeout is " + Check.text(stop)
                    + ", so a stop interrupts handlers at once (set at least " + Check.text(SHORT_STOP) + ")");
        }
        Duration extension = options.visibility().maxExtension();
        if (extension.isPositive() && extension.compareTo(lease) < 0) {
            found.add("visibility.max-extension (" + Check.text(extension) + ") is below the visibility timeout ("
                    + Check.text(lease)
                    + "), so no lease is extended (raise it, or set visibility.max-extension: 0s)");
        }
    }
}
