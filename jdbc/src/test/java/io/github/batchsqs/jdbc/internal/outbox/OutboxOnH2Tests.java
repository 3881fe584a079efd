/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import com.zaxxer.hikari.HikariDataSource;
import io.github.batchsqs.jdbc.internal.inbox.Databases;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;

class OutboxOnH2Tests implements OutboxContract {

    private static final HikariDataSource SOURCE = Databases.h2();

    @AfterAll
    static void close() {
        SOURCE.close();
    }

    @Override
    public DataSource dataSource() {
        return SOURCE;
    }
}
