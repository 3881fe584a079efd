/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.client.QueueNotFoundException;
import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ListenerOptions.QueueNotFound;
import io.github.batchsqs.model.sqs.QueueSettings;
import io.github.batchsqs.testkit.EventMethods;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Execution(ExecutionMode.CONCURRENT)
class ContainerStartTests extends ContainerFixture {

    @Test
    void aFailedStartLeavesTheContainerStoppedAndCanBeRepeated() {
        client.faults(Faults.failing(Operation.ATTRIBUTES));
        EngineContainer container = container(collect, UnaryOperator.identity());
        assertThatThrownBy(container::start).isInstanceOf(QueueCallException.class);
        assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
        client.faults(Faults.NONE);
        container.start();
        assertThat(container.state()).isEqualTo(ContainerState.RUNNING);
    }

    @Test
    void aStartThatFailsWhenItsQueueIsFoundIsAProblemUntilTheNextOne() throws Exception {
        AtomicBoolean found = new AtomicBoolean();
        client.faults(new Faults() {
            @Override
            public void before(Call call) {
                if (call.operation() == Operation.RESOLVE && call.number() == 2) {
                    client.put(client.createQueue("later"), "a");
                }
            }

            @Override
            public void after(Call call) {
                found.compareAndSet(false, call.operation() == Operation.ATTRIBUTES && call.number() == 1);
            }
        });
        TimeSource failing = new TimeSource() {
            @Override
            public long nanos() {
                if (found.compareAndSet(true, false)) {
                    throw new StackOverflowError("as if");
                }
                return TimeSource.system().nanos();
            }

            @Override
            public Instant now() {
                return TimeSource.system().now();
            }
        };
        EngineContainer container =
                started(collect, options -> options.queue("later").queueNotFound(QueueNotFound.WAIT), failing);
        Progress.until(() -> container.status().problem() != null);
        assertThat(container.status().problem())
                .contains("could not be started (java.lang.StackOverflowError", "is started again");

        assertThat(take()).isEqualTo("a");
        assertThat(container.status().problem()).isNull();
    }

    @Test
    void aStopAfterTheQueueWasFoundStopsTheStartToo() throws Exception {
        CountDownLatch looking = new CountDownLatch(1);
        client.faults(Faults.after(Operation.ATTRIBUTES, call -> {
            looking.countDown();
            awaitInterrupt();
        }));
        EngineContainer container = container(collect, UnaryOperator.identity());
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
        EngineContainer container = container(collect, UnaryOperator.identity());
        Thread.currentThread().interrupt();
        assertThatThrownBy(container::start)
                .isInstanceOf(BatchSqsException.class)
                .hasMessage("The start of listener orders-listener was interrupted");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
    }

    @Test
    void aMissingQueueIsCreatedIfAskedFor() throws Exception {
        EngineContainer container =
                container(collect, options -> options.queue("fresh").queueNotFound(QueueNotFound.CREATE));
        container.start();
        client.put(client.resolve("fresh"), "a");
        assertThat(take()).isEqualTo("a");
    }

    @Test
    void aQueueThatTheListenerCreatesIsNoReasonForAWarning() {
        try (LogCapture log = LogCapture.warnings()) {
            EngineContainer ignored = started(collect, options -> options.queueNotFound(QueueNotFound.CREATE));
            assertThat(log.events()).isEmpty();
        }
    }

    @Test
    void aVisibilityTimeoutOfTheListenersOwnTakesThePlaceOfTheQueues() {
        Queue hour = client.createQueue("hour", QueueSettings.DEFAULT.withVisibilityTimeout(Duration.ofHours(1)));
        client.put(hour, "a");
        started(
                batch -> {
                    handled.addAll(batch.payloads());
                    return BatchOutcome.perMessage()
                            .leave(batch.messages().getFirst())
                            .build();
                },
                options -> options.queue("hour")
                        .visibility(new ListenerOptions.Visibility(Duration.ofSeconds(1), Duration.ZERO)));
        Progress.untilMatches(handled::size, runs -> runs > 1);
    }

    @ParameterizedTest
    @ValueSource(classes = {AssertionError.class, InterruptedException.class, IllegalStateException.class})
    void aMissingQueueIsLookedForUntilItAppearsWhateverALookThrows(Class<? extends Throwable> type) throws Exception {
        List<String> unexpected = new CopyOnWriteArrayList<>();
        events = new EventMethods() {
            @Override
            public void unexpected(String stage, Throwable failure) {
                unexpected.add(stage);
            }
        };
        client.faults(new Faults() {
            @Override
            public void before(Call call) throws InterruptedException {
                if (call.operation() != Operation.RESOLVE || call.number() != 2) {
                    return;
                }
                client.put(client.createQueue("later"), "a");
                if (type.equals(AssertionError.class)) {
                    throw new AssertionError("once");
                } else if (type.equals(InterruptedException.class)) {
                    throw new InterruptedException("by nobody");
                }
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted");
            }
        });
        EngineContainer container =
                started(collect, options -> options.queue("later").queueNotFound(QueueNotFound.WAIT));
        assertThat(container.state()).isIn(ContainerState.STARTING, ContainerState.RUNNING);
        assertThat(take()).isEqualTo("a");
        assertThat(container.state()).isEqualTo(ContainerState.RUNNING);
        assertThat(unexpected).containsExactly("start");
    }

    @Test
    void aStopEndsTheLookForAMissingQueue() throws Exception {
        CountDownLatch looked = latchAt(Operation.RESOLVE, 2);
        EngineContainer container =
                container(collect, options -> options.queue("never").queueNotFound(QueueNotFound.WAIT));
        container.start();
        await(looked);
        container.stop();
        assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
    }

    @Test
    void aDeadLetterQueueThatIsNamedMustExist() {
        EngineContainer container = container(
                collect,
                options -> options.failure(
                        new ListenerOptions.Failure(options.build().failure().backoff(), false, List.of(), "missing")));
        assertThatThrownBy(container::start).isInstanceOf(QueueNotFoundException.class);
    }

    @Test
    void aListenerIsNotItsOwnDeadLetterQueue() {
        client.createQueue("circle");
        EngineContainer container = container(
                collect,
                options -> options.queue("circle")
                        .failure(new ListenerOptions.Failure(
                                options.build().failure().backoff(), false, List.of(), "circle")));
        assertThatThrownBy(container::start)
                .isInstanceOf(InvalidOptionException.class)
                .hasMessageContaining("failure.dead-letter must be another queue")
                .hasMessageContaining("but is circle; set it to a queue for dead letters");
    }

    @Test
    void aDeadLetterQueueOfTheRedrivePolicyMayBeOutOfReach() {
        client.createQueue("shared", QueueSettings.DEFAULT.withRedrive("elsewhere", 3));
        EngineContainer container = container(collect, options -> options.queue("shared"));
        container.start();
        assertThat(container.state()).isEqualTo(ContainerState.RUNNING);
        container.stop();
        client.createQueue("elsewhere");
    }

    @Test
    void aQueueThatHidesNothingIsRefusedWithTheRemedy() {
        client.createQueue("bare", QueueSettings.DEFAULT.withVisibilityTimeout(Duration.ZERO));
        EngineContainer container = container(collect, options -> options.queue("bare"));
        assertThatThrownBy(container::start)
                .isInstanceOf(InvalidOptionException.class)
                .hasMessageContaining("visibility.timeout must be at least 1s")
                .hasMessageContaining("but is 0s")
                .hasMessageContaining("give the queue bare a visibility timeout");
    }
}
