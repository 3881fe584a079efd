/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.jdbc.Servers;
import io.github.batchsqs.jdbc.internal.Database;
import io.github.batchsqs.testkit.Progress;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class InboxOnMariaDbTests implements InboxContract {

    private static final DataSource SOURCE = Servers.mariaDb("inbox");

    @Override
    public DataSource dataSource() {
        return SOURCE;
    }

    /** The start failed: the rows of the check were older than all others, where the deletes lock. */
    @Test
    void theTableFitsWhileAnotherInstanceDeletesOldRows() throws Exception {
        inbox(this::storeAll).onBatch(TestMessage.batch("a"));
        Database database = prepared();
        database.newTransaction().executeWithoutResult(status -> {
            var table = new InboxTable(database);
            assertThat(table.deleteBefore(1, 1_000)).isZero();
            Progress.done(CompletableFuture.runAsync(() -> table.check(System.currentTimeMillis())))
                    .join();
        });
    }

    @Test
    void aTableThatIgnoresCaseIsRefused() {
        assertTableRefused(
                "(queue VARCHAR(200), id VARCHAR(128), claim BIGINT, processed_at BIGINT, PRIMARY KEY (queue, id))"
                        + " DEFAULT CHARSET utf8mb4 COLLATE utf8mb4_general_ci",
                "takes two ids for one",
                "collation",
                "schema-mysql.sql");
    }
}
