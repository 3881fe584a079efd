/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.inbox;

import io.github.batchsqs.internal.support.Words;
import java.time.Duration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Up, with the number of skipped messages. If old rows cannot be deleted, the details contain for how long; this concerns
 * the size of the table and no message, so that the status stays up.
 */
record InboxHealth(JdbcInbox inbox, InboxMeters meters, Retention retention) implements HealthIndicator {

    @Override
    public Health health() {
        Health.Builder health =
                Health.up().withDetail("used", inbox.isUsed()).withDetail("duplicates", meters.skipped());
        Duration failing = retention.failingFor();
        return failing.isZero()
                ? health.build()
                : health.withDetail("cleanupFailingFor", Words.measured(failing))
                        .build();
    }
}
