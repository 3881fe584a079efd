/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.BatchSqsException;
import io.github.batchsqs.InvalidOptionException;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.TimeSource;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.client.QueueNotFoundException;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.receive.ListenerOptions.QueueNotFound;
import io.github.batchsqs.receive.invoke.ErrorHook;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.QueueSettings;
import io.github.batchsqs.testkit.SettableTime;
import io.github.batchsqs.testkit.StoredMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The container's life on real threads and a queue in memory, whose receives wait as SQS's do. */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ListenerContainerTests {

    private final InMemoryQueueClient client = new InMemoryQueueClient(TimeSource.system());
    private final Queue queue = client.createQueue("orders");
    private final Queue fifo = client.createQueue("orders.fifo");
    private final List<ListenerContainer> made = new ArrayList<>();
    private final LinkedBlockingQueue<String> handled = new LinkedBlockingQueue<>();
    private final BatchListener<String> collect = BatchListener.of(batch -> handled.addAll(batch.payloads()));

    /** Each step of a stop gets its whole time, however slow this machine is. */
    private final SettableTime standingStill = new SettableTime();

    ListenerContainerTests() {
        client.longPolling(true);
    }

    @AfterEach
    void nothingIsLostAndNoCallBrokeARule() {
        client.faults(Faults.NONE);
        made.forEach(ListenerContainer::stop);
        client.assertNothingLost();
        client.assertNoMisuse();
    }

    @Nested
    class StartAndStop {

        @Test
        void aStartedContainerHandlesAndDeletes() throws Exception {
            ListenerContainer container = started(collect);
            assertThat(container.state()).isEqualTo(ContainerState.RUNNING);
            client.put(queue, "a", "b");
            assertThat(List.of(take(), take())).containsExactlyInAnyOrder("a", "b");

            container.stop();

            assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
            assertThat(container.status()).isEqualTo(ContainerStatus.STOPPED);
            client.assertDrained(queue);
        }

        @Test
        @Timeout(value = 15, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
        void anIdleStopDoesNotWaitForTheLongPoll() throws Exception {
            CountDownLatch polls = latchAt(Operation.RECEIVE, 1);
            ListenerContainer container = started(collect);
            await(polls);
            container.stop(); // the poll would last 20 s
            assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
        }

        @Test
        void aStoppedContainerStartsAgain() throws Exception {
            ListenerContainer container = started(collect);
            for (int i = 0; i < 3; i++) {
                client.put(queue, "m" + i);
                assertThat(take()).isEqualTo("m" + i);
                container.stop();
                container.start();
                assertThat(container.state()).isEqualTo(ContainerState.RUNNING);
            }
        }

        @Test
        void startingTwiceAndStoppingTwiceIsFine() {
            ListenerContainer container = container(collect, UnaryOperator.identity());
            container.stop();
            container.start();
            container.start();
            assertThat(client.calls(Operation.RESOLVE)).isEqualTo(1);
            container.stop();
            container.stop();
            assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
        }

        @Test
        void stoppingFromManyThreadsIsFine() throws Exception {
            ListenerContainer container = started(collect);
            List<FutureTask<Void>> stops = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                stops.add(async(container::stop));
            }
            for (FutureTask<Void> stop : stops) {
                get(stop);
            }
            assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
        }

        @Test
        void aStopFromWithinAHandlerReturnsAndGoesOnBehindIt() throws Exception {
            AtomicReference<ListenerContainer> self = new AtomicReference<>();
            ListenerContainer container = container(
                    batch -> {
                        self.get().stop();
                        handled.addAll(batch.payloads());
                        return BatchOutcome.done();
                    },
                    UnaryOperator.identity());
            self.set(container);
            container.start();
            client.put(queue, "a");
            assertThat(take()).isEqualTo("a");
            container.stop();
            assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
            client.assertDrained(queue);
        }

        @Test
        void aStartDuringAStopWaitsForIt() throws Exception {
            CountDownLatch mayEnd = new CountDownLatch(1);
            CountDownLatch runs = new CountDownLatch(1);
            ListenerContainer container = started(
                    batch -> {
                        runs.countDown();
                        await(mayEnd);
                        return BatchOutcome.done();
                    },
                    options -> options.concurrency(1).batchSize(1));
            client.put(queue, "a", "b");
            await(runs);
            CountDownLatch stopping = latchAfter(Operation.CHANGE_VISIBILITY);
            FutureTask<Void> stop = async(container::stop);
            await(stopping);
            assertThat(container.state()).isEqualTo(ContainerState.STOPPING);
            FutureTask<Void> start = async(container::start);
            mayEnd.countDown();
            get(stop);
            get(start);
            assertThat(container.state()).isEqualTo(ContainerState.RUNNING);
        }
    }

    @Nested
    class TheStart {

        @Test
        void aFailedStartLeavesItStoppedAndItMayBeTriedAgain() {
            client.faults(failing(Operation.ATTRIBUTES));
            ListenerContainer container = container(collect, UnaryOperator.identity());
            assertThatThrownBy(container::start).isInstanceOf(QueueCallException.class);
            assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
            client.faults(Faults.NONE);
            container.start();
            assertThat(container.state()).isEqualTo(ContainerState.RUNNING);
        }

        @Test
        void aStopDuringTheStartEndsIt() throws Exception {
            CountDownLatch looking = new CountDownLatch(1);
            client.faults(new Faults() {
                @Override
                public void before(Call call) throws InterruptedException {
                    if (call.operation() == Operation.RESOLVE) {
                        looking.countDown();
                        new CountDownLatch(1).await();
                    }
                }
            });
            ListenerContainer container = container(collect, UnaryOperator.identity());
            FutureTask<Void> start = async(container::start);
            await(looking);
            assertThat(container.state()).isEqualTo(ContainerState.STARTING);
            container.stop();
            get(start);
            assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
        }

        @Test
        void aStopDuringAStartThatFailsIsFine() throws Exception {
            CountDownLatch looking = new CountDownLatch(1);
            client.faults(new Faults() {
                @Override
                public void before(Call call) {
                    if (call.operation() == Operation.RESOLVE) {
                        looking.countDown();
                        awaitInterrupt();
                        boolean ignored = Thread.interrupted();
                        throw call.connectionFailed();
                    }
                }
            });
            ListenerContainer container = container(collect, UnaryOperator.identity());
            FutureTask<Void> start = async(container::start);
            await(looking);
            container.stop();
            assertThatThrownBy(() -> get(start)).hasRootCauseInstanceOf(QueueCallException.class);
            assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
        }

        @Test
        void aStopAfterTheQueueWasFoundStopsTheStartToo() throws Exception {
            CountDownLatch looking = new CountDownLatch(1);
            client.faults(new Faults() {
                @Override
                public void after(Call call) {
                    if (call.operation() == Operation.ATTRIBUTES) {
                        looking.countDown();
                        awaitInterrupt();
                    }
                }
            });
            ListenerContainer container = container(collect, UnaryOperator.identity());
            FutureTask<Boolean> start = new FutureTask<>(() -> {
                container.start();
                return Thread.currentThread().isInterrupted();
            });
            Thread.ofVirtual().start(start);
            await(looking);
            container.stop();
            assertThat(get(start)).isFalse();
            assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
            assertThat(client.calls(Operation.RECEIVE)).isZero();
        }

        @Test
        void anInterruptOfTheCallerFailsTheStartAndIsKept() {
            ListenerContainer container = container(collect, UnaryOperator.identity());
            Thread.currentThread().interrupt();
            assertThatThrownBy(container::start)
                    .isInstanceOf(BatchSqsException.class)
                    .hasMessage("The start of listener orders-listener was interrupted");
            assertThat(Thread.interrupted()).isTrue();
            assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
        }

        @Test
        void aMissingQueueFailsTheStart() {
            ListenerContainer container =
                    container(collect, options -> options.queue("missing").queueNotFound(QueueNotFound.FAIL));
            assertThatThrownBy(container::start).isInstanceOf(QueueNotFoundException.class);
            assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
        }

        @Test
        void aMissingQueueIsCreatedIfAskedFor() throws Exception {
            ListenerContainer container =
                    container(collect, options -> options.queue("fresh").queueNotFound(QueueNotFound.CREATE));
            container.start();
            client.put(client.resolve("fresh"), "a");
            assertThat(take()).isEqualTo("a");
        }

        @Test
        void aMissingQueueIsLookedForUntilItAppears() throws Exception {
            AtomicBoolean once = new AtomicBoolean();
            client.faults(new Faults() {
                @Override
                public void before(Call call) {
                    if (call.operation() == Operation.RESOLVE && call.number() == 3 && !once.getAndSet(true)) {
                        client.put(client.createQueue("later"), "a");
                    }
                }
            });
            ListenerContainer container =
                    container(collect, options -> options.queue("later").queueNotFound(QueueNotFound.WAIT));
            container.start();
            assertThat(container.state()).isIn(ContainerState.STARTING, ContainerState.RUNNING);
            assertThat(take()).isEqualTo("a");
            assertThat(container.state()).isEqualTo(ContainerState.RUNNING);
        }

        @Test
        void aStopEndsTheLookForAMissingQueue() throws Exception {
            CountDownLatch looked = latchAt(Operation.RESOLVE, 2);
            ListenerContainer container =
                    container(collect, options -> options.queue("never").queueNotFound(QueueNotFound.WAIT));
            container.start();
            await(looked);
            container.stop();
            assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
        }

        @Test
        void aDeadLetterQueueThatIsNamedMustExist() {
            ListenerContainer container = container(
                    collect,
                    options -> options.failure(new ListenerOptions.Failure(
                            options.build().failure().backoff(), false, List.of(), "missing")));
            assertThatThrownBy(container::start).isInstanceOf(QueueNotFoundException.class);
        }

        @Test
        void aDeadLetterQueueOfTheRedrivePolicyMayBeOutOfReach() {
            client.createQueue("shared", QueueSettings.DEFAULT.withRedrive("elsewhere", 3));
            ListenerContainer container = container(collect, options -> options.queue("shared"));
            container.start();
            assertThat(container.state()).isEqualTo(ContainerState.RUNNING);
            container.stop();
            client.createQueue("elsewhere");
        }

        @Test
        void aQueueThatHidesNothingIsRefusedWithTheRemedy() {
            client.createQueue("bare", QueueSettings.DEFAULT.withVisibilityTimeout(Duration.ZERO));
            ListenerContainer container = container(collect, options -> options.queue("bare"));
            assertThatThrownBy(container::start)
                    .isInstanceOf(InvalidOptionException.class)
                    .hasMessageContaining("visibility.timeout must be at least 1s")
                    .hasMessageContaining("give the queue bare a visibility timeout");
        }
    }

    @Nested
    class TheOrderOfAStop {

        @Test
        void whatWaitsGoesBackWhileTheRunningFinish() throws Exception {
            CountDownLatch mayEnd = new CountDownLatch(1);
            CountDownLatch runs = new CountDownLatch(1);
            ListenerContainer container = started(
                    batch -> {
                        handled.addAll(batch.payloads());
                        runs.countDown();
                        await(mayEnd);
                        return BatchOutcome.done();
                    },
                    options -> options.concurrency(1).batchSize(1).prefetch(10));
            client.put(queue, "a", "b", "c");
            await(runs);
            CountDownLatch givenBack = latchAfter(Operation.CHANGE_VISIBILITY);

            FutureTask<Void> stop = async(container::stop);
            await(givenBack);
            assertThat(client.inFlight(queue)).hasSize(1);
            mayEnd.countDown();
            get(stop);

            assertThat(handled).hasSize(1);
            assertThat(client.visible(queue)).hasSize(2).noneMatch(left -> handled.contains(left.body()));
            assertThat(client.inFlight(queue)).isEmpty();
        }

        @Test
        void onFifoTheTailGoesBackFirstAndWhatWaitsBehindARunningBatchAfterIt() throws Exception {
            CountDownLatch mayEnd = new CountDownLatch(1);
            CountDownLatch runs = new CountDownLatch(1);
            ListenerContainer container = started(
                    batch -> {
                        runs.countDown();
                        await(mayEnd);
                        return BatchOutcome.done();
                    },
                    options -> options.queue("orders.fifo")
                            .concurrency(1)
                            .batchSize(1)
                            .pollers(1, 1)
                            .prefetch(10));
            Map<String, String> bodies = new HashMap<>();
            List<String> ids = new ArrayList<>(client.putInGroup(fifo, "a", "a1", "a2", "a3"));
            await(runs);
            CountDownLatch allReceived = new CountDownLatch(1);
            AtomicBoolean delivered = new AtomicBoolean();
            client.faults(new Faults() {
                @Override
                public void after(Call call) {
                    delivered.set(client.delivered(fifo).size() == 6);
                }

                @Override
                public void before(Call call) { // the one poller comes again when it has handed over
                    if (call.operation() == Operation.RECEIVE && delivered.get()) {
                        allReceived.countDown();
                    }
                }
            });
            ids.addAll(client.putInGroup(fifo, "b", "b1", "b2", "b3"));
            List.of("a1", "a2", "a3", "b1", "b2", "b3").forEach(body -> bodies.put(ids.get(bodies.size()), body));
            List<String> givenBack = new CopyOnWriteArrayList<>();
            CountDownLatch three = new CountDownLatch(3);
            await(allReceived);
            assertThat(container.status().handoffSize()).isEqualTo(3); // a2 and a3 are in the turn of a1
            client.faults(new Faults() {
                @Override
                public @Nullable Rejection reject(Call call, int index, String subject) {
                    if (call.operation() == Operation.CHANGE_VISIBILITY) {
                        givenBack.add(String.valueOf(bodies.get(subject)));
                        three.countDown();
                    }
                    return null;
                }
            });

            FutureTask<Void> stop = async(container::stop);
            await(three);
            assertThat(givenBack).containsExactly("b3", "b2", "b1");
            mayEnd.countDown();
            get(stop);

            assertThat(givenBack).containsExactly("b3", "b2", "b1", "a3", "a2");
            assertThat(client.visible(fifo))
                    .extracting(StoredMessage::body)
                    .containsExactly("a2", "a3", "b1", "b2", "b3");
        }

        @Test
        void aHandlerThatIsLateIsInterruptedAndItsMessagesGoBack() throws Exception {
            CountDownLatch interrupted = new CountDownLatch(1);
            CountDownLatch runs = new CountDownLatch(1);
            ListenerContainer container = started(
                    batch -> {
                        runs.countDown();
                        try {
                            new CountDownLatch(1).await();
                        } catch (InterruptedException e) {
                            interrupted.countDown();
                            throw e;
                        }
                        return BatchOutcome.done();
                    },
                    options -> options.shutdownTimeout(Duration.ofSeconds(2)),
                    standingStill);
            client.put(queue, "a");
            await(runs);

            container.stop();

            await(interrupted);
            assertThat(client.visible(queue)).hasSize(1);
            assertThat(client.calls(Operation.DELETE)).isZero();
        }

        @Test
        void aHandlerThatIgnoresTheInterruptHoldsNothingUpAndItsOutcomeComesTooLate() throws Exception {
            CountDownLatch mayEnd = new CountDownLatch(1);
            CountDownLatch runs = new CountDownLatch(1);
            CountDownLatch over = new CountDownLatch(1);
            ListenerContainer container = started(
                    batch -> {
                        runs.countDown();
                        boolean ended = false;
                        while (!ended) {
                            try {
                                mayEnd.await();
                                ended = true;
                            } catch (InterruptedException e) {
                                ended = mayEnd.getCount() == 0;
                            }
                        }
                        over.countDown();
                        return BatchOutcome.done();
                    },
                    options -> options.shutdownTimeout(Duration.ofSeconds(2)),
                    standingStill);
            client.put(queue, "a");
            await(runs);
            container.stop();
            assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
            assertThat(client.visible(queue)).hasSize(1);
            mayEnd.countDown();
            await(over);
            assertThat(client.calls(Operation.DELETE)).isZero();
        }

        @Test
        void whatWasHandledIsDeletedHoweverLongItsDeleteLingers() throws Exception {
            ListenerContainer container = started(
                    collect,
                    options -> options.acknowledge(new ListenerOptions.Acknowledge(
                            ListenerOptions.AcknowledgeMode.ON_SUCCESS, Duration.ofSeconds(10), 8)));
            client.put(queue, "a");
            assertThat(take()).isEqualTo("a");
            container.stop();
            client.assertDrained(queue);
        }
    }

    @Nested
    class SingleMessagesOfAGroup {

        private final List<Integer> deletes = new CopyOnWriteArrayList<>();

        @Test
        void runOneByOneAndAreDeletedTogether() throws Exception {
            receiveTen(options -> options);
            assertThat(deletes).containsExactly(10);
        }

        @Test
        void waitForTheDeleteOfTheOneBeforeIfDeletesDoNotLinger() throws Exception {
            receiveTen(options -> options.acknowledge(
                    new ListenerOptions.Acknowledge(ListenerOptions.AcknowledgeMode.ON_SUCCESS, Duration.ZERO, 8)));
            assertThat(deletes).hasSize(10).containsOnly(1);
        }

        private void receiveTen(UnaryOperator<ListenerOptions.Builder> more) throws Exception {
            String[] ten = IntStream.range(0, 10).mapToObj(i -> "m" + i).toArray(String[]::new);
            client.putInGroup(fifo, "a", ten);
            CountDownLatch deleted = new CountDownLatch(10);
            client.faults(new Faults() {
                @Override
                public void after(Call call) {
                    if (call.operation() == Operation.DELETE) {
                        deletes.add(call.entries());
                        IntStream.range(0, call.entries()).forEach(entry -> deleted.countDown());
                    }
                }
            });
            ListenerContainer container = started(
                    batch -> {
                        assertThat(batch.payloads()).hasSize(1);
                        handled.addAll(batch.payloads());
                        return BatchOutcome.done();
                    },
                    options ->
                            more.apply(options.queue("orders.fifo").batchSize(1).prefetch(20)),
                    standingStill);
            await(deleted);
            container.stop();
            assertThat(handled).containsExactly(ten);
        }
    }

    @Nested
    class WhileItRuns {

        @Test
        void pausedItReceivesNothingAndResumedItGoesOn() throws Exception {
            ListenerContainer container = started(collect);
            container.pause();
            container.pause();
            assertThat(container.state()).isEqualTo(ContainerState.PAUSED);
            assertThat(container.status().pollers()).isZero();
            client.put(queue, "a");
            assertThat(client.visible(queue)).hasSize(1);

            container.resume();
            container.resume();

            assertThat(container.state()).isEqualTo(ContainerState.RUNNING);
            assertThat(take()).isEqualTo("a");
        }

        @Test
        void pausedItStillHandlesWhatItReceivedAndStops() throws Exception {
            CountDownLatch mayEnd = new CountDownLatch(1);
            CountDownLatch runs = new CountDownLatch(1);
            ListenerContainer container = started(batch -> {
                runs.countDown();
                await(mayEnd);
                handled.addAll(batch.payloads());
                return BatchOutcome.done();
            });
            client.put(queue, "a");
            await(runs);
            container.pause();
            mayEnd.countDown();
            assertThat(take()).isEqualTo("a");
            container.stop();
            assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
            client.assertDrained(queue);
        }

        @Test
        void aStoppedContainerNeitherPausesNorResumes() {
            ListenerContainer container = container(collect, UnaryOperator.identity());
            container.pause();
            container.resume();
            assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
        }

        @Test
        void moreConcurrencyCountsAtOnceAndAfterARestart() throws Exception {
            CountDownLatch mayEnd = new CountDownLatch(1);
            CountDownLatch first = new CountDownLatch(1);
            CountDownLatch both = new CountDownLatch(2);
            ListenerContainer container = started(
                    batch -> {
                        first.countDown();
                        both.countDown();
                        await(mayEnd);
                        return BatchOutcome.done();
                    },
                    options -> options.concurrency(1).batchSize(1));
            client.put(queue, "a", "b");
            await(first);
            assertThat(container.status().activeInvocations()).isEqualTo(1);
            container.setConcurrency(2);
            await(both);
            assertThat(container.status().activeInvocations()).isEqualTo(2);
            mayEnd.countDown();
            container.stop();
            container.start();
            assertThat(container.options().concurrency()).isEqualTo(2);
        }

        @Test
        void morePollersCountAtOnce() throws Exception {
            ListenerContainer container = started(collect, options -> options.pollers(1, 1));
            CountDownLatch twoMore = latchAt(Operation.RECEIVE, 2);
            container.setPollers(3, 3);
            await(twoMore);
            assertThat(container.status().pollers()).isEqualTo(3);
        }

        @Test
        void changesWhilePausedCountAfterTheResume() throws Exception {
            ListenerContainer container = started(collect, options -> options.pollers(1, 1));
            container.pause();
            container.setPollers(2, 2);
            assertThat(container.status().pollers()).isZero();
            CountDownLatch two = latchAt(Operation.RECEIVE, 2);
            container.resume();
            await(two);
            assertThat(container.status().pollers()).isEqualTo(2);
        }

        @Test
        void aBadValueChangesNothing() {
            ListenerContainer container = started(collect);
            assertThatThrownBy(() -> container.setConcurrency(0)).isInstanceOf(InvalidOptionException.class);
            assertThatThrownBy(() -> container.setPollers(3, 2)).isInstanceOf(InvalidOptionException.class);
            assertThat(container.options().concurrency()).isEqualTo(16);
        }

        @Test
        void theHandlerRunsOnAVirtualThreadThatIsNamed() throws Exception {
            ListenerContainer container = started(namingItsThread());
            client.put(queue, "a");
            assertThat(take()).isEqualTo("virtual batchsqs-orders-listener-worker-1");
            container.stop();
        }

        @Test
        void orOnAPlatformThread() throws Exception {
            ListenerContainer container = started(
                    namingItsThread(),
                    options -> options.concurrency(1).executor(new ListenerOptions.InvocationExecutor.Platform()));
            container.setConcurrency(2);
            client.put(queue, "a");
            assertThat(take()).isEqualTo("platform batchsqs-orders-listener-worker-1");
            container.stop();
        }

        @Test
        void whatTheUsersExecutorRefusesGoesBack() throws Exception {
            CountDownLatch givenBack = latchAfter(Operation.CHANGE_VISIBILITY);
            ListenerContainer container = started(
                    collect,
                    options -> options.executor(new ListenerOptions.InvocationExecutor.Custom(task -> {
                        throw new RejectedExecutionException("full");
                    })));
            client.put(queue, "a");
            await(givenBack);
            container.stop();
            assertThat(handled).isEmpty();
        }
    }

    private BatchListener<String> namingItsThread() {
        return batch -> {
            Thread thread = Thread.currentThread();
            for (SqsMessage<String> message : batch) {
                assertThat(message.payload()).isEqualTo("a");
            }
            handled.add((thread.isVirtual() ? "virtual " : "platform ") + thread.getName());
            return BatchOutcome.done();
        };
    }

    private String take() throws InterruptedException {
        String next = handled.poll(30, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("nothing was handled");
        }
        return next;
    }

    private ListenerContainer started(
            BatchListener<String> listener, UnaryOperator<ListenerOptions.Builder> options, TimeSource time) {
        ListenerContainer container = container(listener, options, time);
        container.start();
        return container;
    }

    private ListenerContainer started(BatchListener<String> listener) {
        return started(listener, UnaryOperator.identity());
    }

    private ListenerContainer started(BatchListener<String> listener, UnaryOperator<ListenerOptions.Builder> options) {
        ListenerContainer container = container(listener, options);
        container.start();
        return container;
    }

    private ListenerContainer container(
            BatchListener<String> listener, UnaryOperator<ListenerOptions.Builder> options) {
        return container(listener, options, TimeSource.system());
    }

    private ListenerContainer container(
            BatchListener<String> listener, UnaryOperator<ListenerOptions.Builder> options, TimeSource time) {
        ListenerContainer container = new ListenerContainer(
                options.apply(ListenerOptions.builder("orders-listener", "orders"))
                        .build(),
                new ListenerHandler<>(ReceivedMessage::body, listener, List.of(), ErrorHook.NONE),
                new ListenerResources(client, client, ListenerEvents.NONE, time));
        made.add(container);
        return container;
    }

    /** Counts down when such a call begins. */
    private CountDownLatch latchAt(Operation operation, int calls) {
        CountDownLatch latch = new CountDownLatch(calls);
        client.faults(new Faults() {
            @Override
            public void before(Call call) {
                if (call.operation() == operation) {
                    latch.countDown();
                }
            }
        });
        return latch;
    }

    /** Counts down when such a call was acted on. */
    private CountDownLatch latchAfter(Operation operation) {
        CountDownLatch latch = new CountDownLatch(1);
        client.faults(new Faults() {
            @Override
            public void after(Call call) {
                if (call.operation() == operation) {
                    latch.countDown();
                }
            }
        });
        return latch;
    }

    private static Faults failing(Operation operation) {
        return new Faults() {
            @Override
            public void before(Call call) {
                if (call.operation() == operation) {
                    throw call.connectionFailed();
                }
            }
        };
    }

    private static FutureTask<Void> async(Runnable action) {
        Callable<Void> call = () -> {
            action.run();
            return null;
        };
        FutureTask<Void> task = new FutureTask<>(call);
        Thread.ofVirtual().start(task);
        return task;
    }

    private static <T> T get(FutureTask<T> task) throws Exception {
        return task.get(30, TimeUnit.SECONDS);
    }

    /** Returns when the thread is interrupted, which it stays. */
    private static void awaitInterrupt() {
        while (!Thread.currentThread().isInterrupted()) {
            LockSupport.park();
        }
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    }
}
