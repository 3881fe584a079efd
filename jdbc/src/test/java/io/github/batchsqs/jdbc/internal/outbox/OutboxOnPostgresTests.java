/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.jdbc.HookedSource;
import io.github.batchsqs.jdbc.Servers;
import io.github.batchsqs.jdbc.internal.inbox.Databases;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

class OutboxOnPostgresTests extends OutboxContract {

    private static final DataSource SOURCE = Servers.postgres("outbox");

    @Override
    DataSource dataSource() {
        return SOURCE;
    }

    @Test
    void theDatabaseEndsTheClaimOfAnInstanceThatVanishes() {
        String setting = "SHOW idle_in_transaction_session_timeout";
        try (Instance one = instance()) {
            List<String> during = new ArrayList<>();
            OutboxStore.Claim none = one.claim(found -> {
                during.addAll(Databases.column(SOURCE, setting));
                return found;
            });
            assertThat(none.rows()).isEmpty();
            assertThat(during).containsExactly("5s");
        }
        assertThat(Databases.column(SOURCE, setting)).containsExactly("0");
    }

    /** There may be many that wait for a later time. */
    @Test
    void groupsOfOthersAreFoundAmongTheRowsThatAreDueAlone() {
        List<String> statements = new ArrayList<>();
        var hooked = new HookedSource(SOURCE);
        try (Instance one = instance();
                var looking = closed(new Instance(hooked, sqs, TimeSource.system()))) {
            one.commit("q.fifo", "g", List.of("later"));
            var jdbc = new JdbcTemplate(SOURCE);
            int waiting = jdbc.update("INSERT INTO batchsqs_outbox (client, queue, group_key, body, bytes, created_at,"
                    + " due_at, attempts) SELECT client, queue, group_key, body, bytes, created_at,"
                    + " created_at + 2592000000, 0 FROM batchsqs_outbox, generate_series(1, 20000)");
            jdbc.execute("ANALYZE batchsqs_outbox");
            hooked.beforeEach("UNION SELECT group_key", statements::add);
            List<String> none = looking.store.in(table -> table.sentBy(List.of("other")));
            assertThat(none).isEmpty();
            List<String> plan = jdbc.query(
                    "EXPLAIN " + statements.getFirst(),
                    (row, number) -> String.valueOf(row.getString(1)),
                    "",
                    "other",
                    "",
                    "other");
            assertThat(waiting).isEqualTo(20_000);
            assertThat(plan).anyMatch(each -> each.contains("batchsqs_outbox_due_at"));
            assertThat(plan).noneMatch(each -> each.contains("Seq Scan"));
        }
    }

    @Test
    void aConnectionThatFoundTheTableEmptyDoesNotReadAllRowsOfABurst() throws SQLException {
        var jdbc = new JdbcTemplate(SOURCE);
        jdbc.execute("VACUUM ANALYZE batchsqs_outbox");
        var connection = new SingleConnectionDataSource(SOURCE.getConnection(), true);
        try (Instance one = new Instance(connection, sqs, TimeSource.system())) {
            for (int i = 0; i < 20; i++) {
                int none = one.store.in(table -> table.delete(List.of(0L)));
                assertThat(none).isZero();
            }
            int waiting = jdbc.update("INSERT INTO batchsqs_outbox (client, queue, body, bytes, created_at, due_at,"
                    + " attempts) SELECT 'default', 'q', '', 0, 0, 0, 0 FROM generate_series(1, 20000)");
            String reads = "SELECT seq_tup_read FROM pg_stat_xact_user_tables WHERE relname = 'batchsqs_outbox'";
            List<List<String>> read = one.store.in(table -> {
                List<String> before = Databases.column(connection, reads);
                int none = table.delete(List.of(0L));
                return none == 0 ? List.of(before, Databases.column(connection, reads)) : List.of();
            });
            assertThat(waiting).isEqualTo(20_000);
            assertThat(read.getLast()).isEqualTo(read.getFirst()).hasSize(1);
        } finally {
            connection.destroy();
        }
    }
}
