/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import com.zaxxer.hikari.HikariDataSource;
import io.github.batchsqs.jdbc.Servers;
import io.github.batchsqs.jdbc.internal.inbox.Databases;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class OutboxOnMariaDbTests implements OutboxContract {

    private static HikariDataSource source;

    @BeforeAll
    static void start() {
        source = Databases.pool(Servers.mariaDb("outbox"), "root");
    }

    @AfterAll
    static void close() {
        source.close();
    }

    @Override
    public DataSource dataSource() {
        return source;
    }
}
