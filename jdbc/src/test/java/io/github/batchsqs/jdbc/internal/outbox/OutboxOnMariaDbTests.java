/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import io.github.batchsqs.jdbc.Servers;
import javax.sql.DataSource;

class OutboxOnMariaDbTests extends OutboxContract {

    private static final DataSource SOURCE = Servers.mariaDb("outbox");

    @Override
    DataSource dataSource() {
        return SOURCE;
    }
}
