/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.jdbc.Servers;
import io.github.batchsqs.jdbc.internal.inbox.Databases;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

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
}
