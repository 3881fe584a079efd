/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.live;

import io.github.batchsqs.sample.settings.SampleProperties;
import java.util.HashMap;
import java.util.Map;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Counts the rows of the outbox. Its meters count them too, but only every ten seconds. */
@Component
class UnsentMessages {

    private final JdbcClient database;
    private final SampleProperties.Queues queues;
    private final boolean outbox;

    UnsentMessages(
            JdbcClient database,
            SampleProperties properties,
            @Value("${batchsqs.sender.transactional:none}") String mode) {
        this.database = database;
        this.queues = properties.queues();
        this.outbox = mode.equals("outbox");
    }

    /** Returns how many committed messages SQS has not accepted yet, by queue; empty without an outbox. */
    Map<String, Long> byQueue() {
        Map<String, Long> waiting = new HashMap<>();
        if (outbox) {
            waiting.put(queues.orders(), 0L); // arrivals for stock are sent without a transaction
            waiting.put(queues.shipments(), 0L);
            database.sql("SELECT queue, COUNT(*) AS waiting FROM batchsqs_outbox GROUP BY queue")
                    .query(row -> {
                        waiting.put(row.getString("queue"), row.getLong("waiting"));
                    });
        }
        return waiting;
    }
}
