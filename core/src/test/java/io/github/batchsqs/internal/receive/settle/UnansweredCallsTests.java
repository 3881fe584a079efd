/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.settle;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.Settlement;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.Operation;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Calls that SQS accepts as a connection and does not respond to, which an interrupt ends, for example at their deadline. */
class UnansweredCallsTests {

    private static final Duration GRACE = Duration.ofSeconds(5);

    private final SettleBench bench = new SettleBench(false, true);

    @ParameterizedTest
    @CsvSource({
        "DELETE, DeleteMessageBatch, deleting messages of orders",
        "CHANGE_VISIBILITY, ChangeMessageVisibilityBatch, changing the visibility of messages of orders",
        "SEND, SendMessageBatch, sending messages of orders to dead"
    })
    void areAnOutageAfterFiveSeconds(Operation operation, String api, String subject) throws Exception {
        List<Delivery> batch = bench.receive("a", "still in flight");
        settleBy(operation, batch.subList(0, 1));
        try (LogCapture log = LogCapture.warnings()) {
            interruptAfter(operation, GRACE);
            assertThat(log.event())
                    .contains("Listener listener: " + subject + " fails (NoResponse): SQS has not responded for 5s");
        }
        assertThat(bench.events.failedCalls).containsExactly(api + " NoResponse");
        bench.time.advance(Duration.ofSeconds(1));
        interruptAfter(operation, GRACE);
        assertThat(bench.failingFor(operation)).isEqualTo(Duration.ofMillis(6050));
        bench.pass(Duration.ofSeconds(6));
        assertThat(bench.failingFor(operation)).isZero();
        assertThat(bench.limit.used()).isEqualTo(1);
    }

    @Test
    void areNoOutageIfTheyAreInterruptedEarlier() throws Exception {
        settleBy(Operation.CHANGE_VISIBILITY, bench.receive("a"));
        interruptAfter(Operation.CHANGE_VISIBILITY, GRACE.minusNanos(1));
        assertThat(bench.events.failedCalls).isEmpty();
        bench.time.advance(Duration.ofSeconds(1));
        assertThat(bench.failingFor(Operation.CHANGE_VISIBILITY)).isZero();
    }

    private void interruptAfter(Operation operation, Duration after) {
        bench.duringFirst(operation, call -> {
            bench.time.advance(after);
            throw new InterruptedException();
        });
        bench.flush();
    }

    private void settleBy(Operation operation, List<Delivery> batch) {
        Settlement settlement = switch (operation) {
            case DELETE -> new Settlement.Delete();
            case SEND -> new Settlement.DeadLetter(null, Duration.ZERO);
            default -> new Settlement.Release(Duration.ZERO);
        };
        bench.settle(batch, Collections.nCopies(batch.size(), settlement));
    }
}
