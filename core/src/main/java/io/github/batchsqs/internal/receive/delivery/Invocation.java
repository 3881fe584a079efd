/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.delivery;

import java.util.List;

/** What the hand-off does with a batch. No method throws. */
public interface Invocation {

    /**
     * Handles the batch and decides the settlement of each message; on a thread of the executor.
     *
     * @param slotAt when it got its slot, in {@link io.github.batchsqs.internal.support.TimeSource#nanos()}
     * @param slots how many batches had a slot when it began, with this one
     */
    void run(List<Delivery> batch, long slotAt, int slots);

    /** The executor refused the batch, whatever it threw: its messages did not run. */
    void refused(List<Delivery> batch);
}
