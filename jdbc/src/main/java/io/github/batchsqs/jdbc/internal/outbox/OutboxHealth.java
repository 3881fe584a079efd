/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import io.github.batchsqs.internal.support.Words;
import java.time.Duration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Down if the relay does not run, or could not relay rows for half a minute, because of the database. Otherwise up, with the state of the table, also
 * while SQS is out of reach: the messages wait.
 */
record OutboxHealth(Relay relay, OutboxMeters meters) implements HealthIndicator {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @Override
    public Health health() {
        OutboxTable.Backlog backlog = meters.backlog();
        Duration failing = relay.failingFor();
        boolean running = relay.isRunning();
        Health.Builder health = running && failing.compareTo(PATIENCE) < 0 ? Health.up() : Health.down();
        health.withDetail("running", running)
                .withDetail("waiting", backlog.waiting())
                .withDetail("oldest", Words.measured(backlog.oldest()))
                .withDetail("failed", backlog.failed())
                .withDetail("failingFor", Words.measured(failing));
        String error = backlog.error();
        return error == null
                ? health.build()
                : health.withDetail("error", error).build();
    }
}
