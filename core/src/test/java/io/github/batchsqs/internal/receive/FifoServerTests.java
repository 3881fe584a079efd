/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static io.github.batchsqs.internal.receive.TestQueue.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * FIFO queues on a real server. Order means: the messages of a group, listed as often as and when their handling
 * succeeded, are in the order in which they were sent.
 */
@Isolated("they need the processors")
class FifoServerTests {

    private static final int GROUPS = 100;
    private static final int EACH = 100;
    private static final int FEW = 30;

    /** ElasticMQ lets an open poll wait although a delete has set the next messages of a group free. */
    private static final Duration ONE_SECOND = Duration.ofSeconds(1);

    private final GroupOrder order = new GroupOrder();

    @Test
    void aHundredGroupsAreDrainedInOrderWithAtMostTwentyFiveCallsPerHundredMessages() throws Exception {
        try (TestQueue queue = TestQueue.fifo()) {
            queue.sendGroups(GROUPS, EACH);
            queue.listen(options -> options.waitTime(Duration.ofSeconds(20)), BatchListener.of(batch -> {
                assertThat(groups(batch)).hasSize(1);
                order.succeeded(batch.messages());
            }));

            eventually(() -> assertThat(queue.events.acknowledged.get()).isEqualTo(GROUPS * EACH));

            int calls = queue.events.receives() + queue.events.deletes() + queue.events.visibilityChanges();
            assertThat(calls).isLessThanOrEqualTo(GROUPS * EACH * 25 / 100);
            order.assertEachGroupInOrderOnce(GROUPS, EACH);
            queue.eventuallyEmpty();
        }
    }

    @Test
    void withFiveOfAHundredMessagesFailingNoGroupLosesItsOrder() throws Exception {
        try (TestQueue queue = TestQueue.fifo()) {
            queue.sendGroups(GROUPS, FEW);
            queue.listen(options -> options.pollers(1, 32).waitTime(ONE_SECOND), this::failSome);

            eventually(() -> assertThat(order.messages()).isEqualTo(GROUPS * FEW));

            queue.eventuallyEmpty();
            assertOrderAfterFailures(GROUPS, FEW);
            assertThat(queue.failures).isNotEmpty();
        }
    }

    /** Handles the batch in order up to the first message that fails; a quarter of the failures fail the whole batch. */
    private BatchOutcome failSome(MessageBatch<String> batch) {
        for (int i = 0; i < batch.size(); i++) {
            int dice = ThreadLocalRandom.current().nextInt(80);
            if (dice == 0) {
                throw new TestQueue.Refused("the whole batch");
            }
            if (dice < 4) {
                List<SqsMessage<String>> done = batch.messages().subList(0, i);
                order.succeeded(done);
                BatchOutcome.Builder outcome = BatchOutcome.perMessage()
                        .done(done)
                        .retry(batch.messages().get(i), Duration.ZERO);
                // Of the same group nothing passes behind a failure, whatever is said of it.
                return (groups(batch).size() == 1 ? outcome.othersDone() : outcome.othersRetry()).build();
            }
        }
        order.succeeded(batch.messages());
        return BatchOutcome.done();
    }

    @Test
    void mixedBatchesHoldSeveralGroupsEachInOrder() throws Exception {
        Set<Integer> groupsInABatch = new HashSet<>();
        try (TestQueue queue = TestQueue.fifo()) {
            queue.sendGroups(20, 15);
            queue.listen(
                    options -> options.waitTime(ONE_SECOND)
                            .fifoGrouping(ListenerOptions.FifoGrouping.MIXED)
                            .batchSize(50)
                            .batchLinger(Duration.ofMillis(200)),
                    batch -> {
                        synchronized (groupsInABatch) {
                            groupsInABatch.add(groups(batch).size());
                        }
                        return failSome(batch);
                    });

            eventually(() -> assertThat(order.messages()).isEqualTo(300));

            queue.eventuallyEmpty();
            assertOrderAfterFailures(20, 15);
            assertThat(groupsInABatch).anyMatch(groups -> groups > 1);
        }
    }

    @Test
    void stopsAndRestartsKeepEachGroupInOrder() throws Exception {
        try (TestQueue queue = TestQueue.fifo()) {
            queue.sendGroups(30, 40);
            EngineContainer container = queue.container(options -> options.concurrency(8), batch -> {
                TestQueue.work(Duration.ofMillis(10));
                order.succeeded(batch.messages());
                return BatchOutcome.done();
            });
            for (int stopAt = 200; stopAt <= 800; stopAt += 300) {
                container.start();
                int enough = stopAt;
                eventually(() -> assertThat(order.total()).isGreaterThanOrEqualTo(enough));
                container.stop();
                assertThat(queue.size()).isEqualTo(1_200 - order.total());
            }
            container.start();

            eventually(() -> assertThat(order.messages()).isEqualTo(1_200));

            queue.eventuallyEmpty();
            order.assertEachGroupInOrderOnce(30, 40);
        }
    }

    private void assertOrderAfterFailures(int groups, int each) {
        if (TestQueue.keepsOrderOfWhatIsGivenBack()) {
            order.assertEachGroupInOrderOnce(groups, each);
        } else {
            order.assertEachOnce(groups, each);
        }
    }

    private static Set<String> groups(MessageBatch<String> batch) {
        Set<String> groups = new HashSet<>();
        batch.forEach(message -> groups.add(String.valueOf(message.groupId())));
        return groups;
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
            EngineContainer first = queue.listen(
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

    @Test
    void theAcknowledgementOfAQuietGroupIsFlushedWhileAnotherGroupIsBusy() throws Exception {
        AtomicInteger busyMessages = new AtomicInteger();
        CompletableFuture<Void> quietIsDeleted = new CompletableFuture<>();
        try (TestQueue queue = TestQueue.fifo()) {
            queue.sendTo("busy", "busy0");
            queue.sendTo("quiet", "quiet");
            queue.listen(TestQueue::manual, batch -> {
                CompletableFuture<Void> deleted = batch.acknowledgement().acknowledge();
                if (batch.payloads().contains("quiet")) {
                    CompletableFuture<Void> ignored = deleted.thenRun(() -> quietIsDeleted.complete(null));
                } else if (!quietIsDeleted.isDone() || busyMessages.get() < 20) {
                    queue.sendTo("busy", "busy" + busyMessages.incrementAndGet());
                }
                return BatchOutcome.done();
            });

            Progress.get(quietIsDeleted);

            eventually(() -> assertThat(busyMessages.get()).isGreaterThanOrEqualTo(20));
            queue.eventuallyEmpty();
        }
    }
}
