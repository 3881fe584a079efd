/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.live;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Counts the rows of the outbox. Its meters count them too, but only every ten seconds. */
@Component
class UnsentMessages {

    private final JdbcClient database;

    UnsentMessages(JdbcClient database) {
        this.database = database;
    }

    /** Returns how many messages of committed transactions SQS has not accepted yet. */
    long count() {
        return database.sql("SELECT COUNT(*) FROM batchsqs_outbox")
                .query(Long.class)
                .single();
    }
}
