/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.jdbc.support.Database;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.time.TimeSource;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

class InboxOnPostgresTests implements InboxContract {

    private static EmbeddedPostgres server;
    private static HikariDataSource source;

    @BeforeAll
    static void start() throws IOException {
        server = EmbeddedPostgres.start();
        source = Databases.pool(server.getJdbcUrl("postgres", "postgres"), "postgres");
    }

    @AfterAll
    static void close() throws IOException {
        source.close();
        server.close();
    }

    @Override
    public DataSource dataSource() {
        return source;
    }

    @Test
    void aClaimWaitsForAnotherInstanceForALimitedTime() throws Exception {
        waitsForALimitedTime(prepared());
    }

    @Test
    void aClaimWaitsForALimitedTimeThoughTransactionsHaveALongerOne() throws Exception {
        var transactions = new JdbcTransactionManager(source);
        transactions.setDefaultTimeout(600);
        waitsForALimitedTime(prepared(transactions));
    }

    private void waitsForALimitedTime(Database database) throws Exception {
        var other = new TransactionTemplate(new JdbcTransactionManager(source));
        BatchListener<Object> inbox = InboxListener.around(
                this::storeAll,
                new QueueScope(new OneQueue(ORDERS), "orders", "orders", database),
                new MessageIds(null),
                new InboxTransactions(database, new InboxTable(database, Duration.ofSeconds(1)), TimeSource.system()),
                messages -> {});
        inbox.onBatch(TestMessage.batch("before")); // the queue is found
        String queue =
                Databases.column(source, "SELECT queue FROM batchsqs_inbox").getFirst();

        other.executeWithoutResult(status -> {
            new InboxTable(database).insertOne(queue, "a", 1);
            CompletableFuture<BatchOutcome> waiting = new CompletableFuture<>();
            Thread unused = Thread.ofVirtual().start(() -> {
                try {
                    waiting.complete(inbox.onBatch(TestMessage.batch("a")));
                } catch (Exception failure) {
                    waiting.completeExceptionally(failure);
                }
            });
            assertThat(Progress.failure(waiting))
                    .isInstanceOf(QueryTimeoutException.class)
                    .hasMessageContaining("another instance still processes");
        });
        assertThat(inbox.onBatch(TestMessage.batch("a"))).isEqualTo(BatchOutcome.done());
    }
}
