/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.github.batchsqs.BatchListener;
import io.github.batchsqs.jdbc.Servers;
import io.github.batchsqs.testkit.Progress;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

class InboxOnMariaDbTests implements InboxContract {

    private static HikariDataSource source;

    @BeforeAll
    static void start() {
        source = Databases.pool(Servers.mariaDb("inbox"), "root");
    }

    @AfterAll
    static void close() {
        source.close();
    }

    @Override
    public DataSource dataSource() {
        return source;
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

    /** The database undoes the lighter one of two transactions, which is that of the handler. */
    @Test
    void aDeadlockThatTheHandlerHidesFailsTheBatch() throws Exception {
        var jdbc = new JdbcTemplate(source);
        jdbc.execute("CREATE OR REPLACE TABLE stock (id INT PRIMARY KEY, pieces INT)");
        jdbc.execute("INSERT INTO stock SELECT seq, 0 FROM seq_1_to_100");
        var other = new TransactionTemplate(new JdbcTransactionManager(source));
        CompletableFuture<Void> ownRow = new CompletableFuture<>();
        CompletableFuture<Void> otherRows = new CompletableFuture<>();
        CompletableFuture<Void> ended = new CompletableFuture<>();
        Thread unused = Thread.ofVirtual().start(() -> {
            try {
                other.executeWithoutResult(status -> {
                    assertThat(jdbc.update("UPDATE stock SET pieces = 1 WHERE id > 1"))
                            .isEqualTo(99);
                    otherRows.complete(null);
                    assertThat(Progress.done(ownRow)).isDone();
                    assertThat(jdbc.update("UPDATE stock SET pieces = 1 WHERE id = 1"))
                            .isOne();
                });
                ended.complete(null);
            } catch (RuntimeException | Error failure) {
                ended.completeExceptionally(failure);
            }
        });
        BatchListener<Object> inbox = inbox(batch -> {
            assertThat(jdbc.update("UPDATE stock SET pieces = 2 WHERE id = 1")).isOne();
            ownRow.complete(null);
            assertThat(Progress.done(otherRows)).isDone();
            assertThatThrownBy(() -> jdbc.update("UPDATE stock SET pieces = 2 WHERE id = 100"))
                    .isInstanceOf(PessimisticLockingFailureException.class);
            return storeAll(batch);
        });

        assertThatThrownBy(() -> inbox.onBatch(TestMessage.batch("a")))
                .hasMessageContaining("as it does after a deadlock");
        Void ignored = Progress.get(ended);
        assertThat(handled()).isEmpty();
        assertThat(recorded()).isEmpty();
    }
}
