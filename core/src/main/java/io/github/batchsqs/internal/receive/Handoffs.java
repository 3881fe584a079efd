/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.receive.handoff.GroupedHandoff;
import io.github.batchsqs.internal.receive.handoff.Handoff;
import io.github.batchsqs.internal.receive.handoff.LingeringHandoff;
import io.github.batchsqs.internal.receive.handoff.PayloadLimit;
import io.github.batchsqs.internal.support.SqsLimits;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.payload.PayloadStore;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Decides how the messages of a queue form batches. */
final class Handoffs {

    private Handoffs() {}

    /**
     * Makes the hand-off of a queue.
     *
     * @param nothingComes whether nothing can fill a batch at this moment, so that none lingers
     */
    static Handoff of(ListenerQueue source, BooleanSupplier nothingComes) {
        ListenerOptions options = source.options();
        PayloadStore payloads = source.payloads();
        PayloadLimit limit =
                payloads == null ? null : new PayloadLimit(payloads::storedBytes, payloads.maxBatchBytes());
        if (!source.queue().fifo()) {
            return new LingeringHandoff(options.batchSize(), options.batchLinger(), nothingComes, limit);
        }
        return source.inGroupRuns()
                ? new GroupedHandoff(SqsLimits.MAX_PER_CALL, Duration.ZERO, false, nothingComes, null)
                : new GroupedHandoff(
                        options.batchSize(),
                        options.batchLinger(),
                        options.fifoGrouping() == ListenerOptions.FifoGrouping.MIXED,
                        nothingComes,
                        limit);
    }
}
