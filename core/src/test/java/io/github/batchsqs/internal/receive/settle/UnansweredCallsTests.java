/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.settle;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.Settlement;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Calls that SQS accepts as a connection and does not respond to. */
class UnansweredCallsTests {

    private static final Settlement DELETE = new Settlement.Delete();
    private static final Duration GRACE = Duration.ofSeconds(5);

    private final SettleBench bench = new SettleBench(false, true);
    private final List<Duration> failingFor = new ArrayList<>();

    @ParameterizedTest
    @CsvSource({
        "DELETE, DeleteMessageBatch, deleting messages of orders",
        "CHANGE_VISIBILITY, ChangeMessageVisibilityBatch, changing the visibility of messages of orders",
        "SEND, SendMessageBatch, sending messages of orders to dead"
    })
    void areAnOutageAfterFiveSecondsUntilALateResponse(Operation operation, String api, String subject)
            throws Exception {
        settleBy(operation, bench.receive("a"));
        bench.duringFirst(operation, () -> {
            look(operation, GRACE.minusNanos(1));
            look(operation, Duration.ofNanos(1));
            look(operation, GRACE);
        });
        try (LogCapture log = LogCapture.warnings()) {
            bench.flush();
            assertThat(log.events())
                    .singleElement()
                    .asString()
                    .contains("Listener listener: " + subject + " fails (NoResponse): SQS has not responded for 5s");
        }
        assertThat(failingFor).containsExactly(Duration.ZERO, GRACE, GRACE.multipliedBy(2));
        assertThat(bench.events.failedCalls).containsExactly(api + " NoResponse");
        assertThat(failingFor(operation)).isZero();
        bench.pass(Duration.ofSeconds(1));
        assertThat(bench.limit.used()).isZero();
    }

    @Test
    void areCountedAndLoggedOnceWhenTheyFailLate() throws Exception {
        settleBy(Operation.DELETE, bench.receive("a"));
        bench.duringFirst(Operation.DELETE, call -> {
            look(Operation.DELETE, GRACE);
            bench.time.advance(Duration.ofSeconds(1));
            throw call.connectionFailed();
        });
        try (LogCapture log = LogCapture.warnings()) {
            bench.flush();
            assertThat(log.events()).hasSize(1);
        }
        assertThat(bench.events.failedCalls).containsExactly("DeleteMessageBatch NoResponse");
        bench.time.advance(Duration.ofSeconds(1));
        assertThat(failingFor(Operation.DELETE)).isEqualTo(Duration.ofSeconds(7));
        bench.pass(Duration.ofSeconds(6));
        assertThat(failingFor(Operation.DELETE)).isZero();
        assertThat(bench.limit.used()).isZero();
    }

    @Test
    void haveTheCodeOfALateAnswer() throws Exception {
        settleBy(Operation.DELETE, bench.receive("a"));
        bench.duringFirst(Operation.DELETE, call -> {
            look(Operation.DELETE, GRACE);
            throw new QueueCallException("DeleteMessageBatch", "ServiceUnavailable", "busy", true, null);
        });
        try (LogCapture log = LogCapture.warnings()) {
            bench.flush();
            assertThat(log.events()).hasSize(2);
            assertThat(log.events().getLast()).asString().contains("ServiceUnavailable: busy");
        }
        assertThat(bench.events.failedCalls)
                .containsExactly("DeleteMessageBatch NoResponse", "DeleteMessageBatch ServiceUnavailable");
    }

    @Test
    void areNoOutageWhileOthersOfTheirKindAreAnswered() throws Exception {
        List<Delivery> both = bench.receive("a", "b");
        settleBy(Operation.DELETE, both.subList(0, 1));
        bench.duringFirst(Operation.DELETE, () -> {
            bench.time.advance(GRACE.minusSeconds(1));
            settleBy(Operation.DELETE, both.subList(1, 2));
            bench.flush();
            look(Operation.DELETE, GRACE.minusNanos(1));
            look(Operation.DELETE, Duration.ofNanos(1));
        });
        bench.flush();
        assertThat(failingFor).containsExactly(Duration.ZERO, GRACE);
    }

    @Test
    void areAnOutageAlsoWhenEachIsInterruptedBeforeFiveSeconds() throws Exception {
        List<Delivery> batch = bench.receive("a", "b", "c", "still in flight");
        try (LogCapture log = LogCapture.warnings()) {
            for (Delivery each : batch.subList(0, 3)) {
                settleBy(Operation.CHANGE_VISIBILITY, List.of(each));
                interruptAfter(Duration.ofSeconds(2));
            }
            assertThat(log.events())
                    .filteredOn(line -> line.contains("fails (NoResponse)"))
                    .hasSize(1);
        }
        assertThat(failingFor).hasSize(3).startsWith(Duration.ZERO, Duration.ZERO);
        assertThat(failingFor.getLast()).isGreaterThanOrEqualTo(GRACE);
        assertThat(failingFor(Operation.CHANGE_VISIBILITY)).isGreaterThanOrEqualTo(GRACE);
        assertThat(failingFor(Operation.DELETE)).isZero();

        bench.settler.settle(batch.subList(3, 4), List.of(new Settlement.Untrack()));
        assertThat(failingFor(Operation.CHANGE_VISIBILITY))
                .as("nothing is left to be changed")
                .isZero();
    }

    @Test
    void beginAnewAfterAnIdleTime() throws Exception {
        List<Delivery> batch = bench.receive("a", "b");
        settleBy(Operation.CHANGE_VISIBILITY, batch.subList(0, 1));
        interruptAfter(Duration.ofSeconds(4));
        bench.time.advance(SettleBench.LEASE.plusSeconds(1));
        settleBy(Operation.CHANGE_VISIBILITY, batch.subList(1, 2));
        interruptAfter(Duration.ofSeconds(4));
        assertThat(failingFor).containsExactly(Duration.ZERO, Duration.ZERO);
        assertThat(bench.events.failedCalls).isEmpty();
    }

    private void interruptAfter(Duration after) {
        bench.duringFirst(Operation.CHANGE_VISIBILITY, call -> {
            look(Operation.CHANGE_VISIBILITY, after);
            throw new InterruptedException();
        });
        bench.flush();
        assertThat(Thread.interrupted()).isTrue(); // the thread of the call keeps the interrupt
    }

    private void settleBy(Operation operation, List<Delivery> batch) {
        Settlement settlement = switch (operation) {
            case DELETE -> DELETE;
            case SEND -> new Settlement.DeadLetter(null, Duration.ZERO);
            default -> new Settlement.Release(Duration.ZERO);
        };
        bench.settler.settle(batch, Collections.nCopies(batch.size(), settlement));
    }

    /** Lets time pass, and looks as the listener's timer does. */
    private void look(Operation operation, Duration after) {
        bench.time.advance(after);
        bench.settler.logDue();
        failingFor.add(failingFor(operation));
    }

    private Duration failingFor(Operation operation) {
        return switch (operation) {
            case DELETE -> bench.settler.deletesFailingFor();
            case SEND -> bench.settler.deadLettersFailingFor();
            default -> bench.settler.visibilityChangesFailingFor();
        };
    }
}
