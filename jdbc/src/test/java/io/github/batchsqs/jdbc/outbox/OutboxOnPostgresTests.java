/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.outbox;

import com.zaxxer.hikari.HikariDataSource;
import io.github.batchsqs.jdbc.inbox.Databases;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class OutboxOnPostgresTests implements OutboxContract {

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
}
