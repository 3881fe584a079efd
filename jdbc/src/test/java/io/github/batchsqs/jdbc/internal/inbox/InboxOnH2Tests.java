/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.inbox;

import com.zaxxer.hikari.HikariDataSource;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;

class InboxOnH2Tests implements InboxContract {

    private static final HikariDataSource SOURCE = Databases.h2();

    @AfterAll
    static void close() {
        SOURCE.close();
    }

    @Override
    public DataSource dataSource() {
        return SOURCE;
    }

    /** An embedded database has one instance, or two for a moment. Its waits end by a timeout. */
    @Override
    public int instances() {
        return 2;
    }
}
