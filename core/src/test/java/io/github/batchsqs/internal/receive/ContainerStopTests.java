/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.client.QueueNotFoundException;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.EventMethods;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.testkit.StoredMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The order of a stop. */
@Execution(ExecutionMode.CONCURRENT)
class ContainerStopTests extends ContainerFixture {

    private final List<String> reported = new CopyOnWriteArrayList<>();

    /** Records what it is told of a container's life. */
    private class Reports implements EventMethods {

        @Override
        public void started() {
            reported.add("started");
        }

        @Override
        public void stopped() {
            reported.add("stopped");
        }

        @Override
        public void removed() {
            reported.add("removed");
        }
    }

    @Test
    void theStartAndTheStopAreReported() {
        events = new Reports();
        EngineContainer absent = container(collect, options -> options.queue("absent"));
        assertThatExceptionOfType(QueueNotFoundException.class).isThrownBy(absent::start);
        assertThat(reported).as("of a listener that did not start").isEmpty();

        EngineContainer container = started(collect);
        assertThat(reported).containsExactly("started");
        container.stop();
        container.start();
        container.remove(() -> {});
        assertThat(reported).containsExactly("started", "stopped", "started", "stopped", "removed");
    }

    @Test
    void aStopIsReportedAfterTheStartThatIsBeingReported() throws Exception {
        EngineContainer[] self = new EngineContainer[1];
        List<FutureTask<Void>> stops = new CopyOnWriteArrayList<>();
        events = new Reports() {
            @Override
            public void started() {
                stops.add(async(self[0]::stop));
                Progress.until(() -> self[0].status().inFlightLimit(), 0); // all that it had to stop has stopped
                super.started();
            }
        };
        self[0] = container(collect, UnaryOperator.identity());
        self[0].start();
        get(stops.getFirst());
        assertThat(reported).containsExactly("started", "stopped");
    }

    @Test
    void aStartIsReportedAfterTheStopThatIsBeingReported() throws Exception {
        EngineContainer[] self = new EngineContainer[1];
        List<Thread> starts = new CopyOnWriteArrayList<>();
        events = new Reports() {
            @Override
            public void stopped() {
                if (starts.isEmpty()) {
                    Thread start = Thread.ofPlatform().daemon().start(self[0]::start);
                    starts.add(start);
                    Progress.until(() -> !start.isAlive() || start.getState() == Thread.State.TIMED_WAITING);
                }
                super.stopped();
            }
        };
        self[0] = started(collect);
        self[0].stop();
        Progress.join(starts.getFirst());
        assertThat(reported).containsExactly("started", "stopped", "started");
        assertThat(self[0].state()).isEqualTo(ContainerState.RUNNING);
    }

    @Test
    void aStopInTheReportOfTheStartDoesNotWaitForItself() throws Exception {
        EngineContainer[] self = new EngineContainer[1];
        events = new Reports() {
            @Override
            public void started() {
                self[0].stop();
                super.started();
            }
        };
        self[0] = container(collect, options -> options.shutdownTimeout(Duration.ofHours(1)));
        get(async(self[0]::start));
        Progress.until(() -> List.copyOf(reported), List.of("started", "stopped"));
        assertThat(self[0].state()).isEqualTo(ContainerState.STOPPED);
    }

    @Test
    void inAStopOnFifoTheTailReturnsFirstAndMessagesBehindARunningBatchAfterIt() throws Exception {
        CountDownLatch mayEnd = new CountDownLatch(1);
        CountDownLatch runs = new CountDownLatch(1);
        EngineContainer container = started(
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
        List<String> returned = new CopyOnWriteArrayList<>();
        CountDownLatch three = new CountDownLatch(3);
        await(allReceived);
        assertThat(container.status().handoffSize()).isEqualTo(3); // a2 and a3 are in the turn of a1
        client.faults(Faults.refusing((call, subject) -> {
            if (call.operation() == Operation.CHANGE_VISIBILITY) {
                returned.add(String.valueOf(bodies.get(subject)));
                three.countDown();
            }
            return null;
        }));

        FutureTask<Void> stop = async(container::stop);
        await(three);
        assertThat(returned).containsExactly("b3", "b2", "b1");
        mayEnd.countDown();
        get(stop);

        assertThat(returned).containsExactly("b3", "b2", "b1", "a3", "a2");
        assertThat(client.visible(fifo)).extracting(StoredMessage::body).containsExactly("a2", "a3", "b1", "b2", "b3");
    }

    @Test
    void aHandlerThatIsLateIsInterruptedAlsoIfItsMessagesAreAcknowledged() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        CountDownLatch acknowledged = new CountDownLatch(1);
        EngineContainer container = started(
                batch -> {
                    batch.acknowledgement().acknowledge(batch.messages()).join();
                    acknowledged.countDown();
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        interrupted.countDown();
                        throw e;
                    }
                    return BatchOutcome.done();
                },
                options -> options.shutdownTimeout(Duration.ofSeconds(5))
                        .acknowledge(
                                new ListenerOptions.Acknowledge(ListenerOptions.AcknowledgeMode.MANUAL, Duration.ZERO)),
                standingStill);
        client.put(queue, "a");
        await(acknowledged);

        container.stop();

        await(interrupted);
        assertThat(client.visible(queue)).isEmpty();
    }

    @Test
    void aStopDeletesHandledMessagesHoweverLongTheirDeletesLinger() throws Exception {
        EngineContainer container = started(
                collect,
                options -> options.acknowledge(new ListenerOptions.Acknowledge(
                        ListenerOptions.AcknowledgeMode.ON_SUCCESS, Duration.ofSeconds(10))));
        client.put(queue, "a");
        assertThat(take()).isEqualTo("a");
        container.stop();
        client.assertDrained(queue);
    }

    @Test
    void messagesReturnedLateReturnInTheOrderOfTheirReceiveTheLastFirst() throws Exception {
        List<String> returned = new CopyOnWriteArrayList<>();
        CountDownLatch runs = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        client.faults(Faults.refusing((call, subject) -> {
            returned.add(subject);
            return null;
        }));
        List<String> ids = client.put(queue, "a", "b", "c", "d", "e");
        EngineContainer container = started(
                batch -> {
                    runs.countDown();
                    awaitInterrupt();
                    interrupted.countDown();
                    return BatchOutcome.done();
                },
                options -> options.concurrency(1).batchSize(5).shutdownTimeout(Duration.ofSeconds(5)),
                standingStill);
        await(runs);
        try (LogCapture log = LogCapture.warnings()) {
            container.stop();
            assertThat(log.event()) // its clock stands still
                    .contains("after 0s of its shutdown-timeout of 5s, interrupts 1 running invocation and returns"
                            + " 5 unsettled messages to the queue");
        }
        await(interrupted);
        assertThat(returned).isEqualTo(ids.reversed());
        assertThat(client.visible(queue)).hasSize(5);
        assertThat(client.calls(Operation.DELETE)).isZero();
    }

    @Test
    void aStopSaysHowManyMessagesItCouldNotReturn() throws Exception {
        CountDownLatch runs = new CountDownLatch(1);
        client.faults(Faults.before(Operation.CHANGE_VISIBILITY, call -> {
            new CountDownLatch(1).await(); // until the stop gives it up
        }));
        client.put(queue, "a", "b");
        EngineContainer container = started(
                batch -> {
                    runs.countDown();
                    awaitInterrupt();
                    return BatchOutcome.done();
                },
                options -> options.concurrency(1).batchSize(2).shutdownTimeout(Duration.ofMillis(500)),
                standingStill);
        await(runs);
        try (LogCapture log = LogCapture.infos()) {
            container.stop();
            assertThat(log.events())
                    .anySatisfy(line -> assertThat(line).contains("2 messages left to the visibility timeout"));
        }
    }
}
