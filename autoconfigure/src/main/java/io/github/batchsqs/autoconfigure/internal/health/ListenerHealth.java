/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.health;

import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ContainerStatus;
import io.github.batchsqs.listener.ReceiveFailure;
import io.github.batchsqs.listener.ReceiveWait;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * What a listener's status means. Pure.
 *
 * <p>Down is a listener that should receive or delete and cannot, or one whose handler hangs. A stopped or paused listener is up,
 * and one that a gate keeps waiting:
 * that is intended, and {@code OUT_OF_SERVICE} would respond with 503 and take the whole application out of its load
 * balancer. One that still looks for its queue is {@code UNKNOWN}, which responds with 200.
 */
final class ListenerHealth {

    /** Shorter waits are a part of receiving. */
    private static final Duration SHORTEST_WAIT = Duration.ofSeconds(1);

    /** How long every receive, or a gate, must have failed: longer than the pause after a single failure, shorter than an alert. */
    static final Duration FAILING_FOR = Duration.ofMinutes(1);

    private ListenerHealth() {}

    static Health of(String queue, String client, ContainerStatus status, Instant now) {
        String reason = reason(status);
        Status up = status.state() == ContainerState.STARTING ? Status.UNKNOWN : Status.UP;
        Health.Builder health = Health.status(reason == null ? up : Status.DOWN)
                .withDetail("state", status.state())
                .withDetail("queue", queue)
                .withDetail("client", client)
                .withDetail("inFlight", status.inFlight())
                .withDetail("invocations", status.activeInvocations());
        ReceiveFailure failure = status.receiveFailure();
        if (failure != null) {
            health.withDetail("receiveFailingSince", before(now, status.receiveFailingFor()))
                    .withDetail("lastError", failure.code())
                    .withDetail("lastErrorType", failure.type());
            if (failure.message() != null) {
                health.withDetail("lastErrorMessage", failure.message());
            }
        }
        if (isStuck(status)) {
            health.withDetail("invocationStuckSince", before(now, status.longestInvocation()))
                    .withDetail("leaseEndedSince", before(now, status.invocationOverdueFor()));
        }
        if (status.deletesFailingFor().isPositive()) {
            health.withDetail("deletesFailingSince", before(now, status.deletesFailingFor()));
        }
        ReceiveWait wait = status.receiveWait();
        if (wait != null && wait.waitingFor().compareTo(SHORTEST_WAIT) >= 0) {
            waits(health, wait, now);
        }
        if (reason != null) {
            health.withDetail("reason", reason);
        }
        return health.build();
    }

    /** Returns why a listener is down, or {@code null}. */
    private static @Nullable String reason(ContainerStatus status) {
        if (status.problem() != null) {
            return status.problem();
        }
        if (status.receiveFailingFor().compareTo(FAILING_FOR) >= 0) {
            return "every receive has failed for longer than " + Check.text(FAILING_FOR);
        }
        ReceiveWait wait = status.receiveWait();
        if (wait != null && wait.failingFor().compareTo(FAILING_FOR) >= 0) {
            return "a gate has failed, or has not responded, for longer than " + Check.text(FAILING_FOR)
                    + ", so nothing is received";
        }
        return isStuck(status) ? "an invocation runs longer than the leases of its messages could be kept" : null;
    }

    private static void waits(Health.Builder health, ReceiveWait wait, Instant now) {
        health.withDetail("waitsFor", wait.reason())
                .withDetail("waitsForDetail", wait.detail())
                .withDetail("waitingSince", before(now, wait.waitingFor()));
        if (wait.endsIn().isPositive()) {
            health.withDetail("waitingUntil", now.plus(wait.endsIn()).truncatedTo(ChronoUnit.SECONDS));
        }
    }

    private static boolean isStuck(ContainerStatus status) {
        return status.invocationOverdueFor().isPositive();
    }

    private static Instant before(Instant now, Duration duration) {
        return now.minus(duration).truncatedTo(ChronoUnit.SECONDS);
    }
}
