/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.Settlement;
import java.util.List;

/** The settlement, as an invocation uses it. Called on the thread of the invocation. */
public interface InvocationSettlement extends LostGroups {

    /** Settles messages of the batch, those of one group in order; each message is settled once. */
    void settle(List<Delivery> messages, List<Settlement> settlements);

    @Override
    boolean lost(String group);
}
