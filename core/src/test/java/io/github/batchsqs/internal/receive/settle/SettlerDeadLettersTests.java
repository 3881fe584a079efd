/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.settle;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.Settlement;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.StoredMessage;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The way into the dead-letter queue. */
class SettlerDeadLettersTests extends SettlerFixture {

    @Test
    void refusedDeadLettersAreLoggedOnceAndThenCounted() throws Exception {
        try (LogCapture log = LogCapture.warnings()) {
            for (String body : List.of("a", "b", "c", "d")) {
                standard.time.advance(body.equals("d") ? Duration.ofMinutes(1) : Duration.ZERO);
                List<Delivery> batch = standard.receive(body);
                standard.reject(Operation.SEND, Faults.Rejection.INVALID, body);
                settle(standard, batch, new Settlement.DeadLetter(cause, Duration.ofHours(1)));
                standard.pass(Duration.ofSeconds(1));
            }
            List<String> lines = log.events().stream()
                    .filter(line -> line.contains("not accepted by the dead-letter queue"))
                    .toList();
            assertThat(lines).hasSize(2);
            assertThat(lines.getLast()).contains("; 2 more since the last such line");
        }
    }

    @Test
    void deadLettersOnFifoAreAcceptedBeforeAnyMessageBehindThemIsDeleted() throws Exception {
        List<Delivery> all = fifo.receive("a-1", "a-2");
        fifo.reject(Operation.SEND, Faults.Rejection.INVALID, "a-1");
        settle(fifo, all, new Settlement.DeadLetter(cause, Duration.ZERO), DELETE);
        fifo.flush();
        fifo.flush();
        assertThat(fifo.visible()).containsExactly("a-1", "a-2");
        assertThat(fifo.server.deleted(fifo.queue)).isEmpty();

        fifo.server.faults(Faults.NONE);
        settle(fifo, fifo.receive(), new Settlement.DeadLetter(cause, Duration.ZERO), DELETE);
        assertThat(fifo.server.calls(Operation.DELETE)).isZero();
        fifo.flush();
        fifo.flush();

        fifo.server.assertDrained(fifo.queue);
        StoredMessage dead = fifo.deadLetters().getFirst();
        assertThat(dead.body()).isEqualTo("a-1");
        assertThat(dead.groupId()).isEqualTo("a");
    }

    @Test
    void deadLettersOnFifoWithoutADeadLetterQueueStopTheirGroup() throws Exception {
        SettleBench without = new SettleBench(true, false);
        settle(without, without.receive("a-1", "a-2"), new Settlement.DeadLetter(cause, Duration.ofSeconds(3)), DELETE);
        without.flush();
        assertThat(without.visible()).isEmpty();
        without.pass(Duration.ofSeconds(4));
        assertThat(without.visible()).containsExactly("a-1", "a-2");
    }

    @Test
    void deadLettersHaveAtMostTenAttributesTheirOwnFirst() throws Exception {
        Map<String, MessageAttribute> own = new LinkedHashMap<>();
        for (int i = 0; i < 9; i++) {
            own.put("own" + i, MessageAttribute.string("x"));
        }
        standard.put(own, "a");
        settle(standard, standard.receive(), new Settlement.DeadLetter(cause, Duration.ZERO));
        standard.flush();
        assertThat(standard.deadLetters().getFirst().attributes())
                .hasSize(10)
                .containsAllEntriesOf(own)
                .containsKey("BatchSqsErrorClass");
    }

    @Test
    void deadLettersCarryOnlyWhatSqsAcceptsOfTheError() throws Exception {
        RuntimeException odd = new IllegalStateException("a\u0000b\uD800c" + "x".repeat(2_000));
        settle(standard, standard.receive("a"), new Settlement.DeadLetter(odd, Duration.ZERO));
        standard.flush();
        String told = Objects.requireNonNull(
                        standard.deadLetters().getFirst().attributes().get("BatchSqsErrorMessage"))
                .stringValue();
        assertThat(told).startsWith("a\uFFFDb\uFFFDcx").hasSize(1_000);
    }

    @Test
    void deadLettersWithoutACauseOrAMessageCarryTheRest() throws Exception {
        settle(
                standard,
                standard.receive("a", "b"),
                new Settlement.DeadLetter(null, Duration.ZERO),
                new Settlement.DeadLetter(new IllegalStateException(""), Duration.ZERO));
        standard.flush();
        assertThat(standard.deadLetters().get(0).attributes())
                .containsOnlyKeys("BatchSqsSourceQueue", "BatchSqsReceiveCount");
        assertThat(standard.deadLetters().get(1).attributes())
                .containsOnlyKeys("BatchSqsErrorClass", "BatchSqsSourceQueue", "BatchSqsReceiveCount");
    }

    /** Its delete may be given up; then the message comes again, and its delete is repeated. */
    @Test
    void aDeadLetterIsReportedOnceWhenItsQueueHasAcceptedIt() throws Exception {
        List<Delivery> all = standard.receive("a");
        settle(standard, all, new Settlement.DeadLetter(cause, Duration.ZERO));
        assertThat(standard.events.deadLettered).isZero();
        standard.flush();
        assertThat(standard.deadLetters()).hasSize(1);
        assertThat(standard.events.deadLettered).isEqualTo(1);
        standard.reject(Operation.DELETE, Faults.Rejection.INVALID, "a");
        standard.flush();
        assertThat(standard.events.acknowledgeFailures).isEqualTo(1);
        standard.settler.deleteAgain(all);
        standard.flush();
        assertThat(standard.events.deadLettered).isEqualTo(1);
    }

    @Test
    void aDeadLetterIsDeletedAlsoIfWhatIsBehindItCannotBeSettled() throws Exception {
        List<Delivery> all = fifo.receive("a-1", "a-2");
        settle(fifo, all, new Settlement.DeadLetter(cause, Duration.ZERO), NOT_RUN);
        fifo.requeueThrows = new IllegalStateException("no memory");
        fifo.flush();
        fifo.flush();
        assertThat(fifo.server.deleted(fifo.queue)).hasSize(1);
        assertThat(fifo.events.deadLettered).isEqualTo(1);
        assertThat(fifo.failures).singleElement().asString().contains("no memory");
    }
}
