/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import io.github.batchsqs.jdbc.internal.inbox.Databases;
import javax.sql.DataSource;

class OutboxOnH2Tests implements OutboxContract {

    private static final DataSource SOURCE = Databases.h2();

    @Override
    public DataSource dataSource() {
        return SOURCE;
    }
}
