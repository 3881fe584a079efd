/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.jdbc.Servers;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class InboxOnPostgresTests implements InboxContract {

    private static final DataSource SOURCE = Servers.postgres("inbox");

    @Override
    public DataSource dataSource() {
        return SOURCE;
    }

    @Test
    void theDatabaseEndsTheTransactionOfAHostThatVanishes() throws Exception {
        List<String> during = new ArrayList<>();
        BatchListener<Object> inbox = inbox(batch -> {
            during.addAll(Databases.column(SOURCE, "SHOW idle_in_transaction_session_timeout"));
            during.addAll(Databases.column(SOURCE, "SHOW lock_timeout"));
            return BatchOutcome.done();
        });
        inbox.onBatch(TestMessage.batch("a"));
        assertThat(during).containsExactly("10min", "0");
    }
}
