/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ContainerStatus;
import io.github.batchsqs.listener.ReceiveFailure;
import io.github.batchsqs.listener.ReceiveWait;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

class ListenerHealthTests {

    private static final Instant NOW = Instant.parse("2026-01-01T00:10:00Z");
    private static final Duration MINUTE = ListenerHealth.FAILING_FOR;

    private @Nullable ReceiveWait receiveWait;

    @Test
    void aListenerThatReceivesIsUp() {
        Health up = of(ContainerState.RUNNING, Duration.ZERO, Duration.ZERO);

        assertThat(up.getStatus()).isEqualTo(Status.UP);
        assertThat(up.getDetails())
                .containsEntry("state", ContainerState.RUNNING)
                .containsEntry("queue", "orders")
                .containsEntry("client", "eu")
                .containsEntry("inFlight", 7)
                .doesNotContainKeys("lastError", "reason");
    }

    @Test
    void aListenerIsDownWhenReceivingFailedForTooLong() {
        Health failing = of(ContainerState.RUNNING, MINUTE.minusSeconds(1), Duration.ZERO);
        assertThat(failing.getStatus()).isEqualTo(Status.UP);
        assertThat(failing.getDetails()).containsEntry("lastError", "AccessDenied");

        Health down = of(ContainerState.RUNNING, MINUTE, Duration.ZERO);
        assertThat(down.getStatus()).isEqualTo(Status.DOWN);
        assertThat(down.getDetails())
                .containsEntry("receiveFailingSince", NOW.minus(MINUTE))
                .containsEntry("lastError", "AccessDenied")
                .containsEntry("lastErrorType", "java.io.IOException")
                .containsEntry("reason", "every receive has failed for longer than 1m");
    }

    @Test
    void aListenerWhoseReceivesAProxyRespondsToNamesTheRemedy() {
        var failure = new ReceiveFailure("NotFromSqs", "X", "The response does not come from SQS. Check the endpoint");

        Health down = of(ContainerState.RUNNING, MINUTE, failure, Duration.ZERO, Duration.ZERO, null);

        assertThat(down.getDetails())
                .containsEntry("lastError", "NotFromSqs")
                .containsEntry("lastErrorMessage", "The response does not come from SQS. Check the endpoint");
    }

    @Test
    void aListenerIsDownWhenAnInvocationOutlivesItsLeases() {
        Health down = of(ContainerState.RUNNING, Duration.ZERO, Duration.ofSeconds(1));

        assertThat(down.getStatus()).isEqualTo(Status.DOWN);
        assertThat(down.getDetails()).containsKeys("invocationStuckSince", "leaseEndedSince", "reason");
    }

    @Test
    void aListenerThatRunsAndCannotWorkIsDownWithTheReasonAndUpWhenItRecovers() {
        Health down = of(
                ContainerState.RUNNING, Duration.ZERO, null, Duration.ZERO, Duration.ofSeconds(31), "no poller runs");

        assertThat(down.getStatus()).isEqualTo(Status.DOWN);
        assertThat(down.getDetails())
                .containsEntry("reason", "no poller runs")
                .containsEntry("deletesFailingSince", NOW.minusSeconds(31));
        Health up = of(ContainerState.RUNNING, Duration.ZERO, Duration.ZERO);
        assertThat(up.getStatus()).isEqualTo(Status.UP);
        assertThat(up.getDetails()).doesNotContainKeys("reason", "deletesFailingSince");
    }

    @Test
    void aListenerThatAGateKeepsWaitingIsUpAndNamesTheReason() {
        receiveWait = new ReceiveWait(
                "gate",
                "databaseGate: the health is DOWN",
                MINUTE.multipliedBy(5),
                Duration.ofSeconds(7),
                Duration.ZERO);

        Health up = of(ContainerState.RUNNING, Duration.ZERO, Duration.ZERO);

        assertThat(up.getStatus()).isEqualTo(Status.UP);
        assertThat(up.getDetails())
                .containsEntry("waitsFor", "gate")
                .containsEntry("waitsForDetail", "databaseGate: the health is DOWN")
                .containsEntry("waitingSince", NOW.minus(MINUTE.multipliedBy(5)))
                .containsEntry("waitingUntil", NOW.plusSeconds(7))
                .doesNotContainKey("reason");
    }

    @Test
    void aListenerIsDownWhenAGateHasFailedForTooLong() {
        receiveWait = new ReceiveWait("gate", "database: it failed", MINUTE, Duration.ZERO, MINUTE.minusSeconds(1));
        assertThat(of(ContainerState.RUNNING, Duration.ZERO, Duration.ZERO).getStatus())
                .isEqualTo(Status.UP);

        receiveWait = new ReceiveWait("gate", "database: it failed", MINUTE, Duration.ZERO, MINUTE);

        Health down = of(ContainerState.RUNNING, Duration.ZERO, Duration.ZERO);
        assertThat(down.getStatus()).isEqualTo(Status.DOWN);
        assertThat(down.getDetails())
                .containsEntry(
                        "reason",
                        "a gate has failed, or has not responded, for longer than 1m, so nothing is received");
    }

    @ParameterizedTest
    @EnumSource(names = {"STOPPED", "PAUSED", "STOPPING"})
    void aListenerThatIsNotToReceiveIsUp(ContainerState state) {
        assertThat(of(state, Duration.ZERO, Duration.ZERO).getStatus()).isEqualTo(Status.UP);
    }

    @Test
    void ofOneThatLooksForItsQueueNothingIsKnown() {
        assertThat(of(ContainerState.STARTING, Duration.ZERO, Duration.ZERO).getStatus())
                .isEqualTo(Status.UNKNOWN);
    }

    private Health of(ContainerState state, Duration failingFor, Duration overdueFor) {
        var failure = failingFor.isZero() ? null : new ReceiveFailure("AccessDenied", "java.io.IOException", null);
        return of(state, failingFor, failure, overdueFor, Duration.ZERO, null);
    }

    private Health of(
            ContainerState state,
            Duration failingFor,
            @Nullable ReceiveFailure failure,
            Duration overdueFor,
            Duration deletesFailingFor,
            @Nullable String problem) {
        var status = new ContainerStatus(
                state,
                7,
                700,
                10,
                100,
                3,
                1,
                0,
                2,
                16,
                failingFor,
                failure,
                Duration.ofHours(2),
                overdueFor,
                deletesFailingFor,
                receiveWait,
                problem);
        return ListenerHealth.of("orders", "eu", status, NOW);
    }
}
