/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import io.github.batchsqs.jdbc.internal.inbox.Databases;
import javax.sql.DataSource;

class OutboxOnH2Tests extends OutboxContract {

    private static final DataSource SOURCE = Databases.h2();

    @Override
    DataSource dataSource() {
        return SOURCE;
    }
}
