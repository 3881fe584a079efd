/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.health;

import io.github.batchsqs.internal.support.SharedAsk;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.ReceiveGate;
import java.time.Duration;
import java.util.Set;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * Gates that follow the health of what a handler needs.
 *
 * <pre>{@code
 * @Bean
 * ReceiveGate databaseGate(@Qualifier("dbHealthContributor") HealthIndicator database) {
 *     return HealthGates.whenHealthy(database).forListeners("orders");
 * }
 * }</pre>
 */
public final class HealthGates {

    private static final Duration INTERVAL = Duration.ofSeconds(1);

    /** Longer, because an indicator that fails may log a stack trace each time. */
    private static final Duration WHILE_UNHEALTHY = Duration.ofSeconds(5);

    private static final Set<Status> UNHEALTHY = Set.of(Status.DOWN, Status.OUT_OF_SERVICE);

    private HealthGates() {}

    /**
     * Returns a gate that is closed while an indicator is {@code DOWN} or {@code OUT_OF_SERVICE}. Any other status lets
     * listeners receive, {@code UNKNOWN} too, as it does in the responses of the actuator.
     *
     * <p>The indicator is asked on a thread of its own, at most once a second, for all pollers of all listeners together,
     * and by each listener every 5 s while the gate is closed. It should respond within 5 s, a connection pool too. While nobody receives, it is not asked. If it throws, the gate has failed.
     *
     * @param indicator the indicator; not that of a listener which asks the gate
     * @return the gate
     */
    public static ReceiveGate whenHealthy(HealthIndicator indicator) {
        return whenHealthy(indicator, TimeSource.system());
    }

    static ReceiveGate whenHealthy(HealthIndicator indicator, TimeSource time) {
        var status = new SharedAsk<>("batchsqs-gate", () -> status(indicator), INTERVAL, INTERVAL, time);
        return listener -> permission(status.answer());
    }

    private static Status status(HealthIndicator indicator) {
        Health health = indicator.health(false);
        return health == null ? Status.UNKNOWN : health.getStatus();
    }

    private static ReceiveGate.Permission permission(Status status) {
        return UNHEALTHY.contains(status)
                ? ReceiveGate.Permission.waitFor(WHILE_UNHEALTHY, "the health is " + status.getCode())
                : ReceiveGate.Permission.go();
    }
}
