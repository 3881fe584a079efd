/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.inbox;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.jdbc.internal.Database;

/** Puts the inbox around a listener as the auto-configuration does. */
public final class HistoryInbox {

    private HistoryInbox() {}

    /** {@return a listener whose handler runs in the transaction that records the message ids} */
    public static BatchListener<Object> around(BatchListener<Object> listener, String queue, Database database) {
        database.prepare(InboxTable.NAME);
        return new InboxListener(
                listener,
                new MessageIds(null),
                new InboxTransactions(database, TimeSource.system(), "history"),
                new InboxMeters(null).of("history", queue));
    }
}
