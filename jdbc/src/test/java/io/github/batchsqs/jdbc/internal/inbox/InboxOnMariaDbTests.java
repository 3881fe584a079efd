/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.inbox;

import com.zaxxer.hikari.HikariDataSource;
import io.github.batchsqs.jdbc.Servers;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

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
}
