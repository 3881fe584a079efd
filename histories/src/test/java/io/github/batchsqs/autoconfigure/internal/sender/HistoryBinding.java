/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.sender;

import io.github.batchsqs.internal.send.Outbox;
import io.github.batchsqs.internal.send.SendBinding;

/** Binds a template to an outbox as the auto-configuration does. */
public final class HistoryBinding {

    private HistoryBinding() {}

    /** {@return what stores the messages of transactions in the outbox} */
    public static SendBinding of(Outbox outbox) {
        return new OutboxBinding("default", outbox);
    }
}
