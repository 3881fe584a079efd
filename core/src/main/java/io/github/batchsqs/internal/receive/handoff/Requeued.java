/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.handoff;

import io.github.batchsqs.internal.receive.delivery.Delivery;
import java.util.List;

/**
 * Messages of one group, or of a standard queue, that wait at the head again.
 *
 * @param deliveries the messages, in order; at least one
 * @param alone how many of the first of them run one by one
 * @param delayed whether the group waits until {@code notBefore}
 * @param notBefore when the group may go on, in {@link io.github.batchsqs.time.TimeSource#nanos()}
 */
public record Requeued(List<Delivery> deliveries, int alone, boolean delayed, long notBefore) {

    public Requeued {
        deliveries = List.copyOf(deliveries);
    }

    /** Messages that did not run and may run at once; the first {@code alone} run one by one. */
    public static Requeued now(List<Delivery> deliveries, int alone) {
        return new Requeued(deliveries, alone, false, 0);
    }

    /** Messages of which the first {@code alone} run one by one, not before the given time. */
    public static Requeued at(List<Delivery> deliveries, int alone, long notBefore) {
        return new Requeued(deliveries, alone, true, notBefore);
    }
}
