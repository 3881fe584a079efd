/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.EventMethods;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The container's life, its pauses and live changes, on real threads and a queue in memory, whose receives wait as SQS's do. */
@Execution(ExecutionMode.CONCURRENT)
class ListenerContainerTests extends ContainerFixture {

    /** Longer than any test may take: who waits it out has failed. */
    private static final Duration FOR_EVER = Duration.ofHours(1);

    private final AtomicBoolean handlerInterrupted = new AtomicBoolean();

    @Test
    void aContainerThatIsPausedWhileItsReceivesFailDoesNotLookFailing() throws Exception {
        client.faults(Faults.failing(Operation.RECEIVE));
        EngineContainer container = started(collect);
        Progress.until(() -> container.status().receiveFailure() != null);

        container.pause();

        assertThat(container.status().receiveFailure()).isNull();
        assertThat(container.status().receiveFailingFor()).isZero();
        client.faults(Faults.NONE);
        client.put(queue, "a");
        container.resume();
        assertThat(take()).isEqualTo("a");
    }

    @Test
    void anIdleStopDoesNotWaitForTheLongPoll() throws Exception {
        CountDownLatch polls = latchAt(Operation.RECEIVE, 1);
        EngineContainer container = started(collect);
        await(polls);
        container.stop();
        assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
        assertThat(client.emptyReceives()).as("polls that lasted their 20 s").isZero();
    }

    @Test
    void whatIsAskedForTwiceOrTooEarlyChangesNothing() {
        EngineContainer container = container(collect, UnaryOperator.identity());
        container.pause();
        container.resume();
        container.stop();
        assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
        container.start();
        container.start();
        assertThat(client.calls(Operation.RESOLVE)).isEqualTo(1);
        container.stop();
        container.stop();
        assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
    }

    @Test
    void singleMessagesOfAGroupRunOneByOneAndAreDeletedTogether() throws Exception {
        String[] ten = IntStream.range(0, 10).mapToObj(i -> "m" + i).toArray(String[]::new);
        client.putInGroup(fifo, "a", ten);
        List<Integer> deletes = new CopyOnWriteArrayList<>();
        client.faults(Faults.after(Operation.DELETE, call -> deletes.add(call.entries())));
        started(
                BatchListener.of(batch -> {
                    assertThat(batch.payloads()).hasSize(1);
                    handled.addAll(batch.payloads());
                }),
                options -> options.queue("orders.fifo").batchSize(1).prefetch(20),
                standingStill);
        Progress.until(() -> List.copyOf(deletes), List.of(10));
        assertThat(handled).containsExactly(ten);
    }

    @Test
    void moreConcurrencyAppliesAtOnceAndAfterARestart() throws Exception {
        CountDownLatch mayEnd = new CountDownLatch(1);
        CountDownLatch first = new CountDownLatch(1);
        CountDownLatch both = new CountDownLatch(2);
        EngineContainer container = started(
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
        assertThat(container.status().concurrency()).isEqualTo(2);
    }

    @Test
    void theLimitIsNeverBelowWhatIsHeld() throws Exception {
        CountDownLatch mayEnd = new CountDownLatch(1);
        EngineContainer container = started(
                batch -> {
                    await(mayEnd);
                    handled.addAll(batch.payloads());
                    return BatchOutcome.done();
                },
                options -> options.concurrency(4).batchSize(10).prefetch(0));
        client.put(queue, IntStream.range(0, 100).mapToObj(i -> "m" + i).toArray(String[]::new));
        Progress.until(() -> container.status().inFlight(), 40);
        Progress.until(() -> container.status().pollers() > 0
                && container.status().blockedPollers() == container.status().pollers());

        container.setConcurrency(1);

        assertThat(container.status().inFlight()).isEqualTo(40);
        assertThat(container.status().permits()).isEqualTo(40);
        assertThat(container.status().inFlightLimit()).isEqualTo(40);
        mayEnd.countDown();
        Progress.until(handled::size, 100);
        Progress.until(() -> container.status().inFlightLimit(), 10);
    }

    @Test
    void anInvalidValueChangesNothing() {
        EngineContainer container = started(collect);
        assertThatThrownBy(() -> container.setConcurrency(0)).isInstanceOf(InvalidOptionException.class);
        assertThatThrownBy(() -> container.setPollers(3, 2)).isInstanceOf(InvalidOptionException.class);
        assertThat(container.options().concurrency()).isEqualTo(ListenerOptions.AUTO_CONCURRENCY);
    }

    @Test
    void aStopReturnsInTimeThoughTheLookForTheQueueIgnoresInterrupts() throws Exception {
        CountDownLatch looking = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        AtomicInteger looks = new AtomicInteger();
        client.faults(Faults.before(Operation.RESOLVE, call -> {
            if (looks.getAndIncrement() == 0) {
                looking.countDown();
                awaitUninterruptibly(mayEnd);
            }
        }));
        EngineContainer container = container(collect, options -> options.shutdownTimeout(Duration.ofSeconds(1)));
        FutureTask<Void> start = async(container::start);
        await(looking);

        try (LogCapture log = LogCapture.warnings()) {
            container.stop();
            assertThat(log.event()).contains("the look-up of its queue did not end within 1s of a stop");
        }

        assertThat(start).isNotDone();
        assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
        container.start();
        assertThat(container.state()).isEqualTo(ContainerState.RUNNING);
        mayEnd.countDown();
        get(start);
        assertThat(container.state()).isEqualTo(ContainerState.RUNNING);
        client.put(queue, "a");
        assertThat(take()).isEqualTo("a");
    }

    @Test
    void theContainersAreStoppedInAHandlerWithoutWaitingForThatHandler() throws Exception {
        ContainerRegistry containers = new ContainerRegistry();
        EngineContainer container = handling(containers::stop);
        containers.register(container);
        EngineContainer other =
                container(collect, options -> options.id("other").queue("orders-too"));
        client.createQueue("orders-too");
        containers.register(other);
        containers.start();
        client.put(queue, "a");

        assertThat(take()).isEqualTo("a");

        assertThat(other.state()).isEqualTo(ContainerState.STOPPED);
        container.stop();
        assertThat(handlerInterrupted).isFalse();
        client.assertDrained(queue);
    }

    @Test
    void aStartIsRefusedInAHandlerForWhichItsStopWaits() throws Exception {
        List<RuntimeException> failures = new CopyOnWriteArrayList<>();
        AtomicReference<EngineContainer> self = new AtomicReference<>();
        self.set(handling(() -> {
            self.get().stop();
            try {
                self.get().start();
            } catch (RuntimeException e) {
                failures.add(e);
            }
        }));
        self.get().start();
        client.put(queue, "a");
        assertThat(take()).isEqualTo("a");
        Progress.until(() -> self.get().state() == ContainerState.STOPPED);
        assertThat(failures)
                .singleElement()
                .asString()
                .contains("cannot be started in a handler or an event for whose end its stop waits");
        client.assertDrained(queue);
    }

    @Test
    void aContainerThatIsRemovedInItsHandlerIsToldSoWhenItHasStopped() throws Exception {
        BlockingQueue<ContainerState> removed = new LinkedBlockingQueue<>();
        AtomicReference<EngineContainer> self = new AtomicReference<>();
        events = new EventMethods() {
            @Override
            public void removed() {
                removed.add(self.get().state());
            }
        };
        ContainerRegistry containers = new ContainerRegistry();
        EngineContainer container = handling(() -> containers.remove("orders-listener"));
        self.set(container);
        containers.register(container);
        containers.start();
        client.put(queue, "a");
        assertThat(Progress.take(removed)).isEqualTo(ContainerState.STOPPED);
        client.assertDrained(queue);
    }

    @Test
    void aPauseOnAnInterruptedThreadPausesAndKeepsTheInterrupt() throws Exception {
        EngineContainer container = started(collect, options -> options.shutdownTimeout(Duration.ofSeconds(5)));
        Thread.currentThread().interrupt();
        container.pause();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(container.state()).isEqualTo(ContainerState.PAUSED);
        client.put(queue, "a");
        assertThat(container.status().pollers()).isZero();
        assertThat(client.visible(queue)).hasSize(1);
        container.resume();
        assertThat(take()).isEqualTo("a");
        container.stop();
        client.put(queue, "b");
        assertThat(client.visible(queue)).hasSize(1);
    }

    @Test
    void changesFromTwoThreadsAreBothInForce() throws Exception {
        EngineContainer container = container(collect, options -> options.pollers(1, 1));
        Runnable oneMore = () -> container.changePollers(
                pollers -> new ListenerOptions.Pollers(pollers.min(), pollers.max() + 1, pollers.minInterval()));
        FutureTask<Void> other = async(() -> IntStream.range(0, 100).forEach(i -> oneMore.run()));
        IntStream.range(0, 100).forEach(i -> oneMore.run());
        get(other);
        assertThat(container.options().pollers().max()).isEqualTo(201);
    }

    @Test
    void aChangeDuringTheStartIsInForceAfterIt() throws Exception {
        CountDownLatch looking = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        client.faults(Faults.after(Operation.ATTRIBUTES, call -> {
            looking.countDown();
            awaitUninterruptibly(mayEnd);
        }));
        EngineContainer container = container(collect, options -> options.pollers(1, 1));
        FutureTask<Void> start = async(container::start);
        await(looking);
        container.setPollers(3, 3);
        mayEnd.countDown();
        get(start);
        assertThat(container.status().pollers()).isEqualTo(3);
    }

    /** A listener whose handler does something to containers, and reports an interrupt. */
    private EngineContainer handling(Runnable action) {
        return container(
                BatchListener.of(batch -> {
                    action.run();
                    handlerInterrupted.compareAndSet(
                            false, Thread.currentThread().isInterrupted());
                    handled.addAll(batch.payloads());
                }),
                options -> options.shutdownTimeout(FOR_EVER));
    }
}
