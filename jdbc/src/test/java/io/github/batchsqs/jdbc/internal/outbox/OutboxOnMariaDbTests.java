/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import io.github.batchsqs.jdbc.Servers;
import javax.sql.DataSource;

class OutboxOnMariaDbTests implements OutboxContract {

    private static final DataSource SOURCE = Servers.mariaDb("outbox");

    @Override
    public DataSource dataSource() {
        return SOURCE;
    }
}
