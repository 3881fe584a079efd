/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import static io.github.batchsqs.receive.TestQueue.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.PartialBatchException;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Failures on FIFO queues that are tried again in the process, on a real server. */
@Execution(ExecutionMode.CONCURRENT)
class FifoRetryServerTests {

    private static final int GROUPS = 10;
    private static final int EACH = 20;
    private static final int MAX_RECEIVE_COUNT = 3;
    private static final String POISON = "g5:5";

    private final Runs runs = new Runs();
    private final GroupOrder order = new GroupOrder();
    private final Map<String, Integer> receiveCounts = new ConcurrentHashMap<>();

    @Test
    void aPoisonMessageOfASingleMessageMethodTakesNoNeighbourAlong() throws Exception {
        poisonAmongNeighbours(options -> options.batchSize(1), BatchListener.of(batch -> {
            SqsMessage<String> message = batch.messages().getFirst();
            ran(message);
            if (message.payload().equals(POISON)) {
                throw new TestQueue.Refused("poison");
            }
            order.succeeded(List.of(message));
        }));
        assertThat(runs.repeated()).containsExactly(POISON, POISON);
    }

    /** It handles the batch in order and stops at the message that fails; what is behind that one has not run. */
    @Test
    void aPoisonMessageThatABatchListenerNamesTakesNoNeighbourAlong() throws Exception {
        poisonAmongNeighbours(options -> options, batch -> {
            for (SqsMessage<String> message : batch) {
                ran(message);
                if (message.payload().equals(POISON)) {
                    throw PartialBatchException.of(List.of(message), new TestQueue.Refused("poison"));
                }
                order.succeeded(List.of(message));
            }
            return BatchOutcome.done();
        });
        assertThat(runs.repeated()).containsExactly(POISON, POISON);
    }

    /** The neighbours in the poison's batch run once more, one by one; a run of that batch is an attempt of the poison. */
    @Test
    void aPoisonMessageThatIsRetriedIndividuallyTakesNoNeighbourAlong() throws Exception {
        poisonAmongNeighbours(
                options -> options.failure(new ListenerOptions.Failure(
                        TestQueue.retrySoon().backoff(), true, List.of(), ListenerOptions.Failure.REDRIVE_POLICY)),
                this::failAsAWhole);
        assertThatNeighboursRanAtMostTwice();
    }

    /** As with individual retries, but the messages of the failed batch run one by one after the backoff. */
    @Test
    void aPoisonMessageThatFailsItsWholeBatchTakesNoNeighbourAlong() throws Exception {
        poisonAmongNeighbours(options -> options, this::failAsAWhole);
        assertThatNeighboursRanAtMostTwice();
    }

    private BatchOutcome failAsAWhole(MessageBatch<String> batch) {
        batch.forEach(this::ran);
        if (batch.payloads().contains(POISON)) {
            throw new TestQueue.Refused("poison");
        }
        order.succeeded(batch.messages());
        return BatchOutcome.done();
    }

    private void assertThatNeighboursRanAtMostTwice() {
        List<String> repeated = new ArrayList<>(runs.repeated());
        assertThat(repeated).contains(POISON, POISON);
        repeated.removeAll(List.of(POISON));
        assertThat(repeated).allMatch(body -> body.startsWith("g5:")).doesNotHaveDuplicates();
    }

    private void poisonAmongNeighbours(UnaryOperator<ListenerOptions.Builder> options, BatchListener<String> listener)
            throws Exception {
        try (TestQueue queue = TestQueue.fifoWithDeadLetters(MAX_RECEIVE_COUNT)) {
            queue.sendGroups(GROUPS, EACH);
            queue.listen(options, listener);

            queue.eventuallyEmpty();

            assertThat(queue.deadLetters(1).getFirst().body()).isEqualTo(POISON);
            assertThat(runs.of(POISON)).isEqualTo(MAX_RECEIVE_COUNT);
            assertThat(queue.events.deadLettered.get()).isEqualTo(1);
            assertThat(queue.events.released.get()).isZero();
            assertThat(order.total()).isEqualTo(GROUPS * EACH - 1);
            assertThat(order.messages()).isEqualTo(GROUPS * EACH - 1);
            for (int group = 0; group < GROUPS; group++) {
                assertThat(order.of("g" + group)).as("group g%s", group).isSorted();
            }
            assertThat(receiveCounts).hasSize(GROUPS * EACH);
            assertThat(receiveCounts.values()).containsOnly(1);
        }
    }

    private void ran(SqsMessage<String> message) {
        int ignored = runs.add(message);
        receiveCounts.merge(message.payload(), message.receiveCount(), Math::max);
    }

    @Test
    void groupsWhosePoisonNoDeadLetterQueueTakesDoNotStopHealthyGroups() throws Exception {
        int poisoned = 16;
        Faults denied = new Faults() {
            @Override
            public void before(Call call) {
                if (call.operation() == Operation.SEND) {
                    throw call.failed("AccessDenied", false);
                }
            }
        };
        try (TestQueue queue = TestQueue.fifoWithDeadLetters(MAX_RECEIVE_COUNT).with(denied)) {
            for (int group = 0; group < poisoned; group++) {
                queue.sendTo("ill" + group, "poison", "behind");
            }
            UnaryOperator<ListenerOptions.Builder> fourAtOnce = options -> options.concurrency(4)
                    .visibility(new ListenerOptions.Visibility(Duration.ofMinutes(10), Duration.ofHours(1)))
                    .failure(TestQueue.refuseArguments("redrive-policy"))
                    .shutdownTimeout(Duration.ofSeconds(2));
            queue.listen(fourAtOnce, batch -> {
                if (batch.payloads().contains("poison")) {
                    throw PartialBatchException.ofIndexes(List.of(0), new IllegalArgumentException("poison"));
                }
                order.succeeded(batch.messages());
                return BatchOutcome.done();
            });
            eventually(() -> assertThat(queue.failures).containsKey("poison"));

            queue.sendGroups(GROUPS, EACH);

            // The dead letters are tried again until the visibility timeout of 10 minutes is over.
            eventually(() -> assertThat(order.messages()).isEqualTo(GROUPS * EACH));
            assertThat(queue.events.deadLettered.get()).isZero();
            assertThat(queue.events.released.get()).isZero();
        }
    }

    @Test
    void twoInstancesKeepTheOrderWhenADeleteIsGivenUp() throws Exception {
        List<String> handled = new ArrayList<>();
        try (TestQueue queue = TestQueue.fifo()) {
            queue.sendTo("g", "1", "2", "3");
            AtomicBoolean failing = new AtomicBoolean(true);
            Faults noDeletes = new Faults() {
                @Override
                public void before(Call call) {
                    if (failing.get() && call.operation() == Operation.DELETE) {
                        throw call.connectionFailed();
                    }
                }
            };
            queue.with(noDeletes);
            ListenerContainer first = queue.listen(
                    options -> twoSeconds(options)
                            .batchSize(1)
                            .acknowledge(new ListenerOptions.Acknowledge(
                                    ListenerOptions.AcknowledgeMode.MANUAL, Duration.ZERO)),
                    batch -> {
                        CompletableFuture<Void> ignored =
                                batch.acknowledgement().acknowledge();
                        return handle(handled, "A", batch);
                    });
            eventually(() -> assertThat(queue.events.acknowledgeFailures.get()).isPositive());
            first.stop();
            failing.set(false);
            queue.listen(options -> options.batchSize(1), batch -> handle(handled, "B", batch));
            queue.eventuallyEmpty();
        }
        synchronized (handled) {
            assertThat(handled).startsWith("A1").contains("B1");
            if (TestQueue.keepsOrderOfWhatIsGivenBack()) {
                assertThat(handled).doesNotContain("A2", "A3").endsWith("B1", "B2", "B3");
            } else { // there the first instance may receive a message that it returned before its stop begins
                assertThat(handled).containsAnyOf("A2", "B2").containsAnyOf("A3", "B3");
            }
        }
    }

    private static BatchOutcome handle(List<String> handled, String instance, MessageBatch<String> batch) {
        synchronized (handled) {
            batch.forEach(message -> handled.add(instance + message.payload()));
        }
        return BatchOutcome.done();
    }

    private static ListenerOptions.Builder twoSeconds(ListenerOptions.Builder options) {
        return options.visibility(new ListenerOptions.Visibility(Duration.ofSeconds(2), Duration.ofHours(1)));
    }
}
