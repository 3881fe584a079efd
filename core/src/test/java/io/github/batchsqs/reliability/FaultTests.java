/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.PartialBatchException;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.reliability.Ledger.Event;
import io.github.batchsqs.reliability.Ledger.Kind;
import io.github.batchsqs.send.SendFailedException;
import io.github.batchsqs.testkit.ElasticMqServer;
import io.github.batchsqs.testkit.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * Each fault, between the AWS client and a real server, under a template and a listener. One message in ten fails when it is
 * first handled, so that there are visibility changes to disturb too. {@code -Dreliability.seed} for the faults of an
 * earlier run, {@code -Dreliability.full=true} for more messages.
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
    private final List<Throwable> sendFailures = new CopyOnWriteArrayList<>();
    private final Set<String> failedOnce = ConcurrentHashMap.newKeySet();

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
        Traffic traffic = new Traffic(queue, scenario, this::handle);
        try (traffic) {
            for (int i = 0; i < MESSAGES; i++) {
                String body = "g" + i % LANES + ":" + i / LANES;
                futures.add(traffic.send(body).whenComplete((result, failure) -> sent(body, failure)));
            }
            Progress.whileMoving(
                    () -> events.size()
                            + futures.stream().filter(CompletableFuture::isDone).count(),
                    () -> futures.stream().allMatch(CompletableFuture::isDone) && traffic.size() == 0);
            Progress.until(() -> traffic.container.status().inFlight(), 0);
            assertThat(traffic.template.bufferedBytes()).isZero();
        }
        assertThat(traffic.container.status().permits()).isZero();
        Verdict verdict = Verdict.of(List.copyOf(events));
        int mayRunAgain = queue.fifo() ? 0 : scenario.mayRunAgain();
        int maySendTwice = queue.fifo() ? 0 : scenario.maySendTwice();
        report(fault, queue, scenario, verdict, mayRunAgain, maySendTwice);
        assertThat(scenario.touched()).as("touched").containsAll(fault.operations());
        assertThat(failedOnce).as("failed once").isNotEmpty();
        assertThat(verdict.lost()).as("lost").isZero();
        assertThat(verdict.rerun()).as("run again").isLessThanOrEqualTo(mayRunAgain);
        assertThat(verdict.sentTwice()).as("sent twice").isLessThanOrEqualTo(maySendTwice);
        if (queue.fifo() && server.keepsOrderOfWhatIsGivenBack()) {
            assertThat(verdict.outOfOrder()).as("out of order").isZero();
        }
        assertThat(sendFailures)
                .as("refused, for a later one of the group was accepted by the same call")
                .hasSize(MESSAGES - verdict.accepted())
                .allSatisfy(failure -> assertThat(failure)
                        .isInstanceOfSatisfying(
                                SendFailedException.class,
                                failed -> assertThat(failed.code()).isEqualTo(SendFailedException.OUT_OF_ORDER)));
        if (!queue.fifo() || !(fault == Fault.PARTIAL_BEFORE || fault == Fault.PARTIAL_AFTER)) {
            assertThat(sendFailures).isEmpty();
        }
    }

    private void sent(String body, Throwable failure) {
        if (failure == null) {
            events.add(new Event(Kind.SENT, 0, body, ""));
        } else {
            sendFailures.add(failure);
        }
    }

    /** Handles in order, up to one that fails for its first time. */
    private BatchOutcome handle(MessageBatch<String> batch) {
        for (int i = 0; i < batch.size(); i++) {
            SqsMessage<String> message = batch.messages().get(i);
            if (message.payload().endsWith("5") && failedOnce.add(message.id())) {
                throw PartialBatchException.of(
                        batch.messages().subList(i, batch.size()), new IllegalStateException("by a test's wish"));
            }
            events.add(new Event(Kind.RUN, 0, message.payload(), message.id()));
        }
        return BatchOutcome.done();
    }

    private void report(
            Fault fault, Queue queue, Scenario scenario, Verdict verdict, int mayRunAgain, int maySendTwice) {
        String refused = sendFailures.isEmpty()
                ? ""
                : "; " + sendFailures.size() + " sends refused, because a later one was accepted";
        Report.add(new Report.Row(
                FaultTests.class,
                fault + ", " + (queue.fifo() ? "FIFO" : "standard"),
                SEED,
                MESSAGES,
                scenario.happened() + " times" + refused,
                verdict.lost(),
                Report.bounded(verdict.rerun(), mayRunAgain),
                Report.bounded(verdict.sentTwice(), maySendTwice),
                Report.outOfOrder(verdict.outOfOrder(), queue, server),
                "–"));
    }

    /** Above the client's read timeout: else a call that gets no answer outlasts the lease that it was to extend. */
    private static Map<QueueAttributeName, String> visibility() {
        return Map.of(QueueAttributeName.VISIBILITY_TIMEOUT, "6");
    }
}
