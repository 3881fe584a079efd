/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.client.QueueAttributes;
import io.github.batchsqs.receive.ListenerOptions.AcknowledgeMode;
import io.github.batchsqs.receive.ListenerOptions.FifoGrouping;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What is allowed but hardly meant. Said once at each start, in one line; the listener runs all the same. */
final class UnwiseOptions {

    private UnwiseOptions() {}

    /** Each finding is half a sentence: what is so, and what to do about it. Empty if there is nothing to say. */
    static List<String> find(ListenerOptions options, Duration lease, boolean fifo, QueueAttributes queue) {
        List<String> found = new ArrayList<>(0);
        if (queue.redrive() == null && options.failure().deadLetter().equals(ListenerOptions.Failure.REDRIVE_POLICY)) {
            found.add(
                    "the queue has no dead-letter queue, so a message that always fails comes back until its retention"
                            + " period ends (give the queue a redrive policy, or set failure.dead-letter)");
        }
        if (lease.compareTo(options.batchLinger()) <= 0) {
            found.add("the visibility timeout (" + lease + ") is not above batch-linger (" + options.batchLinger()
                    + "), so messages are extended before they run at all (raise the one or lower the other)");
        }
        if (fifo
                && options.fifoGrouping() == FifoGrouping.MIXED
                && options.failure().isolate()) {
            found.add(
                    "with fifo.batch-grouping: mixed and failure.isolate a failed batch of many groups is run again message"
                            + " by message, which holds all of these groups up (use batch-grouping: group)");
        }
        if (options.failure().isolate() && options.acknowledge().mode() != AcknowledgeMode.ON_SUCCESS) {
            found.add("failure.isolate has no effect unless acknowledge.mode is on-success (remove one of the two)");
        }
        starved(options, found);
        return found;
    }

    private static void starved(ListenerOptions options, List<String> found) {
        if (options.prefetch() == ListenerOptions.AUTO_PREFETCH) {
            return;
        }
        long limit = (long) options.concurrency() * options.batchSize() + options.prefetch();
        long fed = (limit + ListenerOptions.MAX_PER_CALL - 1) / ListenerOptions.MAX_PER_CALL;
        if (options.pollers().min() > fed) {
            found.add("pollers.min is " + options.pollers().min() + ", but at most " + limit
                    + " messages are held, enough for " + fed + " (lower it, or raise prefetch or concurrency)");
        }
    }
}
