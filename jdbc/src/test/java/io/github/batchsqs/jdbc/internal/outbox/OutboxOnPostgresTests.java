/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.jdbc.Servers;
import io.github.batchsqs.jdbc.internal.inbox.Databases;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class OutboxOnPostgresTests implements OutboxContract {

    private static HikariDataSource source;

    @BeforeAll
    static void start() {
        source = Databases.pool(Servers.postgres("outbox"), "postgres");
    }

    @AfterAll
    static void close() {
        source.close();
    }

    @Test
    void theDatabaseEndsTheClaimOfAnInstanceThatVanishes() {
        String setting = "SHOW idle_in_transaction_session_timeout";
        try (Instance one = instance(new FakeSqs(), TimeSource.system())) {
            List<String> during = new ArrayList<>();
            OutboxStore.Claim none = one.claim(found -> {
                during.addAll(Databases.column(source, setting));
                return found;
            });
            assertThat(none.rows()).isEmpty();
            assertThat(during).containsExactly("5s");
        }
        assertThat(Databases.column(source, setting)).containsExactly("0");
    }

    @Override
    public DataSource dataSource() {
        return source;
    }
}
