/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.inbox;

import io.github.batchsqs.jdbc.Servers;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

class InboxOnMariaDbTests implements InboxContract {

    private static final DataSource SOURCE = Servers.mariaDb("inbox");

    @Override
    public DataSource dataSource() {
        return SOURCE;
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
