/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.reliability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.reliability.Ledger.Event;
import io.github.batchsqs.reliability.Ledger.Kind;
import io.github.batchsqs.testkit.ElasticMqServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * Each fault, between the AWS client and a real server, under a template and a listener. {@code -Dreliability.seed} for the
 * faults of an earlier run, {@code -Dreliability.full=true} for more messages.
 */
@Tag("reliability")
@Execution(ExecutionMode.CONCURRENT)
class FaultTests {

    private static final int MESSAGES = Boolean.getBoolean("reliability.full") ? 5_000 : 200;
    private static final int LANES = 20;
    private static final int PERCENT = 20;
    private static final long SEED = Long.getLong("reliability.seed", 1);

    private final ElasticMqServer server = ElasticMqServer.shared();
    private final List<Event> events = new CopyOnWriteArrayList<>();

    @ParameterizedTest
    @EnumSource(Fault.class)
    void losesNothingOnAStandardQueue(Fault fault) throws Exception {
        assertSurvives(fault, server.createQueue(visibility()));
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void losesAndReordersNothingOnAFifoQueue(Fault fault) throws Exception {
        assertSurvives(fault, server.createFifoQueue(visibility()));
    }

    private void assertSurvives(Fault fault, Queue queue) throws Exception {
        Scenario scenario = new Scenario(SEED, PERCENT, fault);
        List<CompletableFuture<?>> futures = new ArrayList<>();
        Traffic traffic = new Traffic(queue, scenario, this::ran);
        try (traffic) {
            for (int i = 0; i < MESSAGES; i++) {
                String body = "g" + i % LANES + ":" + i / LANES;
                futures.add(traffic.send(body).thenRun(() -> events.add(new Event(Kind.SENT, 0, body, ""))));
            }
            await(fault + " on " + queue.name())
                    .atMost(Duration.ofMinutes(5))
                    .pollInterval(Duration.ofMillis(50))
                    .until(() -> futures.stream().allMatch(CompletableFuture::isDone) && traffic.size() == 0);
            await(fault + ": permits")
                    .atMost(Duration.ofMinutes(1))
                    .until(() -> traffic.container.status().inFlight() == 0);
            assertThat(traffic.template.bufferedBytes()).isZero();
        }
        assertThat(traffic.container.status().permits()).isZero();
        Verdict verdict = Verdict.of(List.copyOf(events));
        System.out.println(String.format(
                "reliability: %s, %s, seed %d: %d messages, %d times, %s",
                fault, queue.fifo() ? "FIFO" : "standard", SEED, MESSAGES, scenario.happened(), verdict));
        assertThat(scenario.happened()).isPositive();
        assertThat(verdict.lost()).as("lost").isZero();
        // Nobody can know of a delete that SQS accepts and does not act on; nothing else makes a message run again.
        assertThat(verdict.rerun())
                .as("run again")
                .isLessThanOrEqualTo(fault == Fault.STALE_HANDLE && !queue.fifo() ? scenario.happened() : 0);
        if (queue.fifo()) {
            assertThat(verdict.outOfOrder()).as("out of order").isZero();
            assertThat(verdict.sentTwice()).as("sent twice").isZero();
        } else {
            assertThat(verdict.accepted()).isEqualTo(MESSAGES);
        }
    }

    private void ran(SqsMessage<String> message) {
        events.add(new Event(Kind.RUN, 0, message.payload(), message.id()));
    }

    private static Map<QueueAttributeName, String> visibility() {
        return Map.of(QueueAttributeName.VISIBILITY_TIMEOUT, "4");
    }
}
