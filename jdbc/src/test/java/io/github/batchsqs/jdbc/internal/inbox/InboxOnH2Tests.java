/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.inbox;

import javax.sql.DataSource;

class InboxOnH2Tests implements InboxContract {

    private static final DataSource SOURCE = Databases.h2();

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
