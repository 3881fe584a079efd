/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.BatchListener;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ListenerOptions.Acknowledge;
import io.github.batchsqs.listener.ListenerOptions.AcknowledgeMode;
import io.github.batchsqs.model.sqs.QueueSettings;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.FreezableTime;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.testkit.StoredMessage;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Message groups of a running listener, on real threads and a queue in memory. */
@Execution(ExecutionMode.CONCURRENT)
class FifoGroupsTests extends ContainerFixture {

    private final FreezableTime time = new FreezableTime();
    private final Queue dead = client.createQueue("dead.fifo");
    private final Queue groups = client.createQueue("groups.fifo", QueueSettings.DEFAULT.withRedrive("dead.fifo", 3));
    private final List<String> failed = new CopyOnWriteArrayList<>();

    FifoGroupsTests() {
        errorHook = (name, message, cause) -> failed.add(message.body());
    }

    @Test
    void aGroupRunGoesOnWhenDeletesDoNotLinger() {
        client.putInGroup(groups, "g", "a", "b");
        CountDownLatch lastRan = new CountDownLatch(1);
        client.faults(Faults.before(Operation.DELETE, call -> lastRan.await()));
        time.freeze(); // else "b" waits for the delete if "a" takes long
        onGroups(
                options -> options.batchSize(1).acknowledge(new Acknowledge(AcknowledgeMode.ON_SUCCESS, Duration.ZERO)),
                BatchListener.of(batch -> {
                    handled.addAll(batch.payloads());
                    if (batch.payloads().contains("b")) {
                        lastRan.countDown();
                    }
                }));

        Progress.until(() -> client.deleted(groups).size(), 2);
        assertThat(handled).containsExactly("a", "b");
    }

    /** The executor runs a handler where it is handed over, which must hold up no poller, timer or call. */
    @Test
    void aHandlerOfACallersExecutorHasAThreadOfItsOwn() {
        List<String> threads = new CopyOnWriteArrayList<>();
        onGroups(
                options -> options.batchSize(1)
                        .executor(new ListenerOptions.InvocationExecutor.Custom(Runnable::run))
                        .acknowledge(new Acknowledge(AcknowledgeMode.ON_SUCCESS, Duration.ZERO)),
                BatchListener.of(batch -> {
                    threads.add(Thread.currentThread().getName());
                    handled.addAll(batch.payloads());
                }));
        for (int group = 0; group < 5; group++) {
            client.putInGroup(groups, "g" + group, "a" + group, "b" + group, "c" + group);
        }

        Progress.until(handled::size, 15);
        assertThat(threads).allMatch(name -> name.contains("-handover-"));
    }

    @Test
    void withManualAcknowledgementEachMessageWaitsForTheDeleteOfTheOneBefore() {
        client.putInGroup(groups, "g", "a", "b", "c");
        List<Integer> deletedBefore = new CopyOnWriteArrayList<>();
        onGroups(
                options -> options.batchSize(1).acknowledge(new Acknowledge(AcknowledgeMode.MANUAL, Duration.ZERO)),
                BatchListener.of(batch -> {
                    deletedBefore.add(client.deleted(groups).size());
                    CompletableFuture<Void> ignored = batch.acknowledgement().acknowledge();
                }));

        Progress.until(() -> client.deleted(groups).size(), 3);
        assertThat(deletedBefore).containsExactly(0, 1, 2);
    }

    /** The attempt fails soon after the stop began, or at its end, although deletes linger for longer. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aStopWaitsForTheDeadLetterOfALastAttemptWhileItsGroupReturnsToTheQueue(boolean atItsEnd) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch fails = new CountDownLatch(1);
        CountDownLatch returned = new CountDownLatch(1);
        client.putInGroup(groups, "g", "poison", "b", "c");
        EngineContainer container = onGroups(
                options -> options.concurrency(1)
                        .batchSize(1)
                        .shutdownTimeout(Duration.ofSeconds(20))
                        .acknowledge(new Acknowledge(
                                AcknowledgeMode.ON_SUCCESS, atItsEnd ? Duration.ofSeconds(3) : Duration.ofMillis(50)))
                        .failure(new ListenerOptions.Failure(
                                Backoff.exponential(Duration.ofMillis(1), Duration.ofMillis(1)),
                                false,
                                List.of(),
                                ListenerOptions.Failure.REDRIVE_POLICY)),
                BatchListener.of(batch -> {
                    if (batch.payloads().contains("poison")) {
                        if (failed.size() == 2) {
                            begun.countDown();
                            awaitUninterruptibly(fails);
                        }
                        throw new TestQueue.Refused("poison");
                    }
                    handled.addAll(batch.payloads());
                }));
        await(begun);
        client.putInGroup(groups, "h", "x");
        Progress.until(() -> container.status().handoffSize(), 3);
        client.faults(Faults.before(Operation.SEND, call -> returned.await()));
        time.freeze();
        FutureTask<Void> stop = async(container::stop);
        Progress.until(() -> container.status().handoffSize(), 2); // the stop has looked at the time
        time.goOn();
        Progress.until(this::visible, List.of("x")); // from here on nothing is retried
        if (atItsEnd) {
            time.freezeAfterLast(Duration.ofSeconds(18)); // what waits returns to the queue now
        }
        fails.countDown();
        Progress.until(this::visible, List.of("b", "c", "x"));
        assertThat(stop.isDone()).isFalse();
        returned.countDown();
        get(stop);

        assertThat(client.visible(dead)).extracting(StoredMessage::body).containsExactly("poison");
        assertThat(client.inFlight(groups)).isEmpty();
        assertThat(failed).containsExactly("poison", "poison", "poison");
        if (!atItsEnd) { // else each message of the group would wait for the linger of the one before
            container.start();
            Progress.until(() -> Set.copyOf(handled), Set.of("b", "c", "x"));
        }
    }

    private EngineContainer onGroups(UnaryOperator<ListenerOptions.Builder> options, BatchListener<String> listener) {
        return started(listener, each -> options.apply(each.queue("groups.fifo")), time);
    }

    private List<String> visible() {
        return client.visible(groups).stream().map(StoredMessage::body).toList();
    }
}
