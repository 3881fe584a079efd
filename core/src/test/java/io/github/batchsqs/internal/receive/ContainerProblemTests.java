/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.internal.receive.ContainerProblem.Failing;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ReceiveFailure;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ContainerProblemTests {

    private static final Duration LEASE = Duration.ofSeconds(30);

    @Test
    void aContainerThatReceivesAndDeletesHasNoProblem() {
        assertThat(find(ContainerState.RUNNING, 1, LEASE)).isNull();
    }

    @Test
    void aRunningContainerWithoutAPollerReceivesNothing() {
        assertThat(find(ContainerState.RUNNING, 0, Duration.ZERO)).startsWith("no poller runs");
    }

    @Test
    void aPausedContainerNeedsNoPoller() {
        assertThat(find(ContainerState.PAUSED, 0, Duration.ZERO)).isNull();
    }

    @ParameterizedTest
    @EnumSource(names = {"RUNNING", "PAUSED"})
    void deletesThatFailForLongerThanALeaseAreAProblem(ContainerState state) {
        assertThat(find(state, 1, LEASE.plusMillis(1500)))
                .startsWith("SQS has accepted no delete for 31s, which is longer than the visibility timeout of 30s");
    }

    /** An endpoint that is down is no missing permission. */
    @Test
    void deletesThatFailWhileReceivesFailTooAreNoMissingPermission() {
        var failing = new Failing(
                Duration.ZERO,
                LEASE.plusSeconds(1),
                Duration.ZERO,
                Duration.ZERO,
                new ReceiveFailure("ConnectionFailed", "Any"));
        assertThat(ContainerProblem.find(ContainerState.RUNNING, 1, failing, LEASE))
                .startsWith("SQS has accepted no delete for 31s")
                .contains("every receive fails too, the last one with ConnectionFailed: check the endpoint")
                .doesNotContain("permission");
        assertThat(ContainerProblem.find(ContainerState.PAUSED, 0, failing, LEASE))
                .as("failures of receives before a pause are not of today")
                .contains("sqs:DeleteMessage")
                .doesNotContain("ConnectionFailed");
    }

    @ParameterizedTest
    @EnumSource(names = {"RUNNING", "PAUSED"})
    void visibilityChangesThatFailForLongerThanALeaseAreAProblem(ContainerState state) {
        assertThat(ContainerProblem.find(
                        state,
                        1,
                        new Failing(Duration.ZERO, Duration.ZERO, LEASE.plusMillis(1500), Duration.ZERO, null),
                        LEASE))
                .startsWith("SQS has accepted no visibility change for 31s")
                .endsWith("check the permission sqs:ChangeMessageVisibility, and the network between here and SQS");
    }

    @ParameterizedTest
    @EnumSource(names = {"RUNNING", "PAUSED"})
    void deadLettersThatFailForLongerThanALeaseAreAProblem(ContainerState state) {
        Duration failing = LEASE.plusMillis(1500);
        assertThat(ContainerProblem.find(
                        state,
                        1,
                        new Failing(Duration.ZERO, Duration.ZERO, Duration.ZERO, failing, null),
                        LEASE))
                .startsWith("SQS has accepted no message for the dead-letter queue for 31s")
                .contains("check the permission sqs:SendMessage on the dead-letter queue");
    }

    @Test
    void anExecutorThatBeginsNothingForLongerThanALeaseIsAProblem() {
        assertThat(ContainerProblem.find(
                        ContainerState.RUNNING,
                        1,
                        new Failing(LEASE.plusMillis(1500), Duration.ZERO, Duration.ZERO, Duration.ZERO, null),
                        LEASE))
                .startsWith("the executor has taken all batches that may run at once and begun none of them for 31s")
                .contains("RejectedExecutionException");
    }

    @ParameterizedTest
    @EnumSource(names = {"STOPPED", "STARTING", "STOPPING"})
    void aContainerThatIsNotMeantToWorkHasNoProblem(ContainerState state) {
        assertThat(find(state, 0, LEASE.multipliedBy(9))).isNull();
    }

    private static @Nullable String find(ContainerState state, int pollers, Duration deletesFailingFor) {
        return ContainerProblem.find(
                state,
                pollers,
                new Failing(Duration.ZERO, deletesFailingFor, Duration.ZERO, Duration.ZERO, null),
                LEASE);
    }
}
