/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.Settlement;
import java.util.List;

/** The settlement, as an invocation uses it. Called on the thread of the invocation. */
public interface InvocationSettlement {

    /** Settles messages of the batch, those of one group in order; each message is settled once. */
    void settle(List<Delivery> messages, List<Settlement> settlements);

    /**
     * Returns whether a message ahead of what runs of the group was lost or returned manually, so that nothing of it may start
     * here.
     */
    boolean lost(String group);
}
