/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static io.github.batchsqs.testkit.Progress.untilAsserted;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.receive.invoke.ListenerHandler;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ListenerOptions.Acknowledge;
import io.github.batchsqs.listener.ListenerOptions.AcknowledgeMode;
import io.github.batchsqs.model.sqs.QueueSettings;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.FreezableTime;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.testkit.StoredMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Message groups of a running listener, on real threads and a queue in memory. */
@Execution(ExecutionMode.CONCURRENT)
class FifoGroupsTests {

    private final FreezableTime time = new FreezableTime();
    private final InMemoryQueueClient client = new InMemoryQueueClient(TimeSource.system());
    private final Queue dead = client.createQueue("dead.fifo");
    private final Queue queue = client.createQueue("orders.fifo", QueueSettings.DEFAULT.withRedrive("dead.fifo", 3));
    private final List<String> handled = new CopyOnWriteArrayList<>();
    private final List<String> failed = new CopyOnWriteArrayList<>();
    private final List<EngineContainer> made = new ArrayList<>();

    FifoGroupsTests() {
        client.longPolling(true);
    }

    @AfterEach
    void nothingIsLost() {
        made.forEach(EngineContainer::stop);
        client.assertNothingLost();
        client.assertNoMisuse();
    }

    @Test
    void aGroupRunGoesOnWhenDeletesDoNotLinger() {
        client.putInGroup(queue, "g", "a", "b");
        CountDownLatch lastRan = new CountDownLatch(1);
        client.faults(new Faults() {
            @Override
            public void before(Call call) throws InterruptedException {
                if (call.operation() == Operation.DELETE) {
                    lastRan.await();
                }
            }
        });
        time.freeze(); // else "b" waits for the delete if "a" takes long
        started(
                options -> options.batchSize(1).acknowledge(new Acknowledge(AcknowledgeMode.ON_SUCCESS, Duration.ZERO)),
                BatchListener.of(batch -> {
                    handled.addAll(batch.payloads());
                    if (batch.payloads().contains("b")) {
                        lastRan.countDown();
                    }
                }));

        untilAsserted(() -> assertThat(client.deleted(queue)).hasSize(2));
        assertThat(handled).containsExactly("a", "b");
    }

    /** The executor runs a handler where it is handed over, which must hold up no poller, timer or call. */
    @Test
    void aHandlerOfACallersExecutorHasAThreadOfItsOwn() {
        List<String> threads = new CopyOnWriteArrayList<>();
        started(
                options -> options.batchSize(1)
                        .executor(new ListenerOptions.InvocationExecutor.Custom(Runnable::run))
                        .acknowledge(new Acknowledge(AcknowledgeMode.ON_SUCCESS, Duration.ZERO)),
                BatchListener.of(batch -> {
                    threads.add(Thread.currentThread().getName());
                    handled.addAll(batch.payloads());
                }));
        for (int group = 0; group < 5; group++) {
            client.putInGroup(queue, "g" + group, "a" + group, "b" + group, "c" + group);
        }

        Progress.until(handled::size, 15);
        assertThat(threads).allMatch(name -> name.contains("-handover-"));
    }

    @Test
    void withManualAcknowledgementEachMessageWaitsForTheDeleteOfTheOneBefore() {
        client.putInGroup(queue, "g", "a", "b", "c");
        List<Integer> deletedBefore = new CopyOnWriteArrayList<>();
        started(
                options -> options.batchSize(1).acknowledge(new Acknowledge(AcknowledgeMode.MANUAL, Duration.ZERO)),
                BatchListener.of(batch -> {
                    deletedBefore.add(client.deleted(queue).size());
                    CompletableFuture<Void> ignored = batch.acknowledgement().acknowledge();
                }));

        untilAsserted(() -> assertThat(client.deleted(queue)).hasSize(3));
        assertThat(deletedBefore).containsExactly(0, 1, 2);
    }

    @Test
    void aStopWaitsForTheDeadLetterOfALastAttemptWhileItsGroupReturnsToTheQueue() throws Exception {
        CountDownLatch returned = new CountDownLatch(1);
        LastAttempt last = lastAttempt(new Faults() {
            @Override
            public void before(Call call) throws InterruptedException {
                if (call.operation() == Operation.SEND) {
                    returned.await();
                }
            }
        });

        last.fails().countDown();
        untilAsserted(() -> assertThat(visible()).containsExactly("b", "c", "x"));
        assertThat(last.stop().isDone()).isFalse();
        returned.countDown();
        Progress.get(last.stop());

        assertThat(client.visible(dead)).extracting(StoredMessage::body).containsExactly("poison");
        assertThat(client.inFlight(queue)).isEmpty();
        made.getFirst().start();
        untilAsserted(() -> assertThat(handled).containsExactlyInAnyOrder("b", "c", "x"));
        assertThat(failed).containsExactly("poison", "poison", "poison");
    }

    @Test
    void aLastAttemptReturnsBehindItsGroupIfTheDeadLetterQueueRefusesItInAStop() throws Exception {
        List<String> returned = new CopyOnWriteArrayList<>();
        LastAttempt last = lastAttempt(new Faults() {
            @Override
            public @Nullable Rejection reject(Call call, int index, String subject) {
                if (call.operation() == Operation.CHANGE_VISIBILITY) {
                    returned.add(subject);
                }
                return call.operation() == Operation.SEND ? Rejection.INVALID : null;
            }
        });

        last.fails().countDown();
        Progress.get(last.stop());

        untilAsserted(() -> assertThat(visible()).containsExactly("poison", "b", "c", "x")); // after its backoff
        assertThat(returned.subList(1, returned.size())).isEqualTo(last.group().reversed());
        assertThat(client.visible(dead)).isEmpty();
    }

    @Test
    void aDeadLetterThatIsAcceptedAtTheEndOfAStopIsDeletedFromItsQueue() throws Exception {
        CountDownLatch late = new CountDownLatch(1);
        LastAttempt last = lastAttempt(
                options -> options.shutdownTimeout(Duration.ofSeconds(20))
                        .acknowledge(new ListenerOptions.Acknowledge(
                                ListenerOptions.AcknowledgeMode.ON_SUCCESS, Duration.ofSeconds(10))),
                new Faults() {
                    @Override
                    public void before(Call call) throws InterruptedException {
                        if (call.operation() == Operation.SEND) {
                            late.await();
                        }
                    }
                },
                () -> time.freezeAfterLast(Duration.ofSeconds(18))); // what waits returns to the queue now
        last.fails().countDown();
        untilAsserted(() -> assertThat(visible()).containsExactly("b", "c", "x"));
        late.countDown();
        Progress.get(last.stop());

        assertThat(client.visible(dead)).extracting(StoredMessage::body).containsExactly("poison");
        assertThat(client.inFlight(queue)).isEmpty();
    }

    /**
     * A stop that waits for the last attempt of a message.
     *
     * @param group the ids of the message, {@code poison}, and of those behind it
     * @param fails lets the attempt fail
     */
    private record LastAttempt(List<String> group, CountDownLatch fails, FutureTask<Void> stop) {}

    private LastAttempt lastAttempt(Faults faults) {
        return lastAttempt(options -> options, faults, () -> {});
    }

    private LastAttempt lastAttempt(UnaryOperator<ListenerOptions.Builder> more, Faults faults, Runnable beforeIt) {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch fails = new CountDownLatch(1);
        List<String> group = client.putInGroup(queue, "g", "poison", "b", "c");
        EngineContainer container = started(
                options -> more.apply(options.concurrency(1)
                        .batchSize(1)
                        .failure(new ListenerOptions.Failure(
                                Backoff.exponential(Duration.ofMillis(1), Duration.ofMillis(1)),
                                false,
                                List.of(),
                                ListenerOptions.Failure.REDRIVE_POLICY))),
                BatchListener.of(batch -> {
                    if (batch.payloads().contains("poison")) {
                        if (failed.size() == 2) {
                            begun.countDown();
                            hang(fails);
                            beforeIt.run();
                        }
                        throw new TestQueue.Refused("poison");
                    }
                    handled.addAll(batch.payloads());
                }));
        Progress.await(begun);
        client.putInGroup(queue, "h", "x");
        untilAsserted(() -> assertThat(container.status().handoffSize()).isEqualTo(3));
        client.faults(faults);
        time.freeze();
        FutureTask<Void> stop = ContainerFixture.async(container::stop);
        untilAsserted(
                () -> assertThat(container.status().handoffSize()).isEqualTo(2)); // the stop has looked at the time
        time.goOn();
        untilAsserted(() -> assertThat(visible()).containsExactly("x")); // from here on nothing is retried
        return new LastAttempt(group, fails, stop);
    }

    @Test
    void aDelayOfTheHandlerBeyondTheLimitIsSpentInTheQueue() throws Exception {
        client.putInGroup(queue, "g", "a", "b");
        started(options -> options, batch -> {
            handled.addAll(batch.payloads());
            return BatchOutcome.retry(Duration.ofSeconds(31));
        });
        untilAsserted(() -> assertThat(handled).startsWith("a"));
        untilAsserted(
                () -> assertThat(made.getFirst().status().permits()).isLessThanOrEqualTo(10)); // of the open receive
        untilAsserted(() -> assertThat(made.getFirst().status().inFlight()).isZero());
        assertThat(client.visible(dead)).isEmpty();
    }

    private static void hang(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TestQueue.Refused("interrupted by the stop");
        }
    }

    private EngineContainer started(UnaryOperator<ListenerOptions.Builder> options, BatchListener<String> listener) {
        EngineContainer container = new EngineContainer(
                options.apply(ListenerOptions.builder("orders", "orders.fifo")).build(),
                new ListenerHandler<>(
                        ReceivedMessage::body,
                        listener,
                        List.of(),
                        (name, message, cause) -> failed.add(message.body())),
                new ListenerResources(client, client, ListenerEvents.NONE, time));
        made.add(container);
        container.start();
        return container;
    }

    private List<String> visible() {
        return client.visible(queue).stream().map(StoredMessage::body).toList();
    }
}
