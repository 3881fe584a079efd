/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.jdbc.HookedSource;
import io.github.batchsqs.jdbc.Servers;
import io.github.batchsqs.listener.ReceiveGate;
import io.github.batchsqs.testkit.Progress;
import java.sql.SQLTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.support.JdbcTransactionManager;

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

    /** As by the user's {@code statement_timeout}: the message returned as if another transaction held its id, and used a receive. */
    @Test
    void aClaimThatTimesOutIsAnOutageAndFindsNoBusyId() throws Exception {
        var hooked = new HookedSource(SOURCE);
        BatchListener<Object> inbox =
                inbox(InboxContract.prepared(new JdbcTransactionManager(hooked), hooked), batch -> BatchOutcome.done());
        inbox.onBatch(TestMessage.batch("before"));
        hooked.beforeEach("INSERT INTO batchsqs_inbox", sql -> {
            throw new SQLTimeoutException("on purpose");
        });
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<BatchOutcome> outcome = threads.submit(() -> inbox.onBatch(TestMessage.batch("a")));
            Progress.until(() -> outcome.isDone() || ((ReceiveGate) inbox).check("orders") instanceof ReceiveGate.Wait);
            hooked.beforeEach("INSERT INTO batchsqs_inbox", sql -> {});
            assertThat(outcome.get()).isEqualTo(BatchOutcome.done());
        }
    }
}
