/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.internal.receive.settle.FailingCalls;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ReceiveFailure;
import java.time.Duration;
import java.util.List;
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
        "RUNNING, 2, SQS has accepted no send for 31s, they return; check the permission sqs:SendMessage"
    })
    void whatFailsForLongerThanALeaseIsAProblem(ContainerState state, int what, String problem, String remedy) {
        assertThat(find(state, what, LEASE.plusMillis(1500), null))
                .startsWith(problem)
                .contains("which is longer than the visibility timeout of 30s", remedy);
        assertThat(find(state, what, LEASE, null)).isNull();
    }

    /** An endpoint that is down is no missing permission. */
    @Test
    void deletesThatFailWhileReceivesFailTooAreNoMissingPermission() {
        var failure = new ReceiveFailure("ConnectionFailed", "Any", null);
        assertThat(find(ContainerState.RUNNING, 1, LEASE.plusSeconds(1), failure))
                .startsWith(DELETES)
                .contains("every receive fails too, the last one with ConnectionFailed: check the endpoint")
                .doesNotContain("permission");
        assertThat(find(ContainerState.PAUSED, 1, LEASE.plusSeconds(1), failure))
                .as("failures of receives before a pause are not of today")
                .contains("sqs:DeleteMessage")
                .doesNotContain("ConnectionFailed");
    }

    @ParameterizedTest
    @EnumSource(names = {"STOPPED", "STARTING", "STOPPING"})
    void aContainerThatIsNotMeantToWorkHasNoProblem(ContainerState state) {
        assertThat(find(state, 1, LEASE.multipliedBy(9), null)).isNull();
    }

    private static @Nullable String find(
            ContainerState state, int what, Duration howLong, @Nullable ReceiveFailure receives) {
        Duration begins = what == 0 ? howLong : Duration.ZERO;
        List<FailingCalls> calls = List.of(
                new FailingCalls(
                        new FailingCalls.Meaning("delete", "they run again", "sqs:DeleteMessage"),
                        what == 1 ? howLong : Duration.ZERO),
                new FailingCalls(
                        new FailingCalls.Meaning("send", "they return", "sqs:SendMessage"),
                        what == 2 ? howLong : Duration.ZERO));
        return ContainerProblem.find(state, begins, calls, receives, LEASE);
    }
}
