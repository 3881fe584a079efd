/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.jdbc.HookedSource;
import io.github.batchsqs.jdbc.Servers;
import io.github.batchsqs.jdbc.internal.inbox.Databases;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

class OutboxOnPostgresTests implements OutboxContract {

    private static final DataSource SOURCE = Servers.postgres("outbox");

    @Override
    public DataSource dataSource() {
        return SOURCE;
    }

    @Test
    void theDatabaseEndsTheClaimOfAnInstanceThatVanishes() {
        String setting = "SHOW idle_in_transaction_session_timeout";
        try (Instance one = instance(new FakeSqs(), TimeSource.system())) {
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
        try (Instance one = instance(new FakeSqs(), TimeSource.system());
                var looking = new Instance(hooked, new FakeSqs(), TimeSource.system())) {
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
}
