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
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ContainerProblemTests {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final String DELETES = "SQS has accepted no delete for 31s";

    @ParameterizedTest
    @CsvSource({
        "RUNNING, 0, the executor has taken all batches that may run at once and begun none of them for 31s, RejectedExecutionException",
        "RUNNING, 1, SQS has accepted no delete for 31s, sqs:DeleteMessage",
        "PAUSED, 1, SQS has accepted no delete for 31s, sqs:DeleteMessage",
        "RUNNING, 2, SQS has accepted no visibility change for 31s, check the permission sqs:ChangeMessageVisibility",
        "RUNNING, 3, SQS has accepted no message for the dead-letter queue for 31s, sqs:SendMessage on the dead-letter queue"
    })
    void whatFailsForLongerThanALeaseIsAProblem(ContainerState state, int what, String problem, String remedy) {
        assertThat(ContainerProblem.find(state, failing(what, LEASE.plusMillis(1500), null), LEASE))
                .startsWith(problem)
                .contains("which is longer than the visibility timeout of 30s", remedy);
        assertThat(ContainerProblem.find(state, failing(what, LEASE, null), LEASE))
                .isNull();
    }

    /** An endpoint that is down is no missing permission. */
    @Test
    void deletesThatFailWhileReceivesFailTooAreNoMissingPermission() {
        Failing failing = failing(1, LEASE.plusSeconds(1), new ReceiveFailure("ConnectionFailed", "Any", null));
        assertThat(ContainerProblem.find(ContainerState.RUNNING, failing, LEASE))
                .startsWith(DELETES)
                .contains("every receive fails too, the last one with ConnectionFailed: check the endpoint")
                .doesNotContain("permission");
        assertThat(ContainerProblem.find(ContainerState.PAUSED, failing, LEASE))
                .as("failures of receives before a pause are not of today")
                .contains("sqs:DeleteMessage")
                .doesNotContain("ConnectionFailed");
    }

    @ParameterizedTest
    @EnumSource(names = {"STOPPED", "STARTING", "STOPPING"})
    void aContainerThatIsNotMeantToWorkHasNoProblem(ContainerState state) {
        assertThat(ContainerProblem.find(state, failing(1, LEASE.multipliedBy(9), null), LEASE))
                .isNull();
    }

    private static Failing failing(int what, Duration howLong, @Nullable ReceiveFailure receives) {
        Duration[] all = {Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO};
        all[what] = howLong;
        return new Failing(all[0], all[1], all[2], all[3], receives);
    }
}
