/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import static io.github.batchsqs.receive.TestQueue.eventually;
import static io.github.batchsqs.receive.TestQueue.work;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Stop, restart, pause and resume, on a real server. */
@Execution(ExecutionMode.CONCURRENT)
class LifecycleServerTests {

    /** Longer than any test, so that what comes back was given back and did not just run out. */
    private static final Duration LONG = Duration.ofMinutes(10);

    /** What the server gives to a long poll that was aborted comes back after this. */
    private static final Duration SHORT = Duration.ofSeconds(3);

    private final Runs runs = new Runs();

    @Test
    void aStopUnderLoadLosesNothingReturnsWaitingMessagesAndRepeatsNothing() throws Exception {
        int messages = 600;
        AtomicBoolean interrupted = new AtomicBoolean();
        CountDownLatch stopping = new CountDownLatch(1);
        try (TestQueue queue = TestQueue.standard(LONG)) {
            queue.send(messages);
            ListenerContainer container =
                    queue.listen(options -> options.concurrency(4).prefetch(40), batch -> {
                        runs.addAll(batch);
                        try {
                            if (runs.total() > 50) {
                                stopping.await();
                                work(Duration.ofMillis(50));
                            }
                        } catch (InterruptedException e) {
                            interrupted.set(true);
                        }
                        return BatchOutcome.done();
                    });
            eventually(() -> assertThat(runs.total()).isGreaterThan(50));

            TestQueue.stopUnderLoad(container, stopping);

            assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
            int handled = runs.total();
            assertThat(handled).isLessThan(messages);
            assertThat(interrupted).isFalse();
            assertThat(container.status().permits()).isZero();
            assertThat(queue.hidden()).isZero();
            assertThat(queue.visible()).isEqualTo(messages - handled);
            assertThat(queue.events.acknowledged.get()).isEqualTo(handled);

            container.start();
            queue.eventuallyEmpty();
            assertThat(runs.messages()).isEqualTo(messages);
            assertThat(runs.repeated()).isEmpty();
        }
    }

    @Test
    void anIdleStopDoesNotWaitForItsLongPoll() throws Exception {
        try (TestQueue queue = TestQueue.standard()) {
            ListenerContainer container =
                    queue.listen(options -> options.waitTime(Duration.ofSeconds(20)), BatchListener.of(runs::addAll));
            eventually(() -> assertThat(container.status().permits()).isPositive());

            CompletableFuture<Void> stopped = CompletableFuture.runAsync(container::stop);

            Progress.get(stopped);
            assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
            assertThat(queue.events.receives()).isZero();
        }
    }

    @Test
    void aContainerStartsAgainAfterEachStop() throws Exception {
        try (TestQueue queue = TestQueue.standard()) {
            // The receives return at once: the server would give the messages to a long poll that a stop has aborted.
            ListenerContainer container = queue.container(
                    options -> options.waitTime(Duration.ZERO)
                            .pollers(new ListenerOptions.Pollers(1, 8, Duration.ofMillis(50))),
                    BatchListener.of(runs::addAll));
            for (int round = 1; round <= 3; round++) {
                queue.send("round" + round);
                container.start();
                container.start();
                int expected = round;
                eventually(() -> assertThat(runs.messages()).isEqualTo(expected));
                container.stop();
                container.stop();
                assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
            }
            assertThat(runs.repeated()).isEmpty();
        }
    }

    @Test
    void aPausedContainerReceivesNothingUntilItIsResumed() throws Exception {
        try (TestQueue queue = TestQueue.standard(SHORT)) {
            ListenerContainer container = queue.listen(options -> options, BatchListener.of(runs::addAll));
            eventually(() -> assertThat(container.status().pollers()).isPositive());

            container.pause();

            assertThat(container.state()).isEqualTo(ContainerState.PAUSED);
            assertThat(container.status().pollers()).isZero();
            assertThat(container.status().permits()).isZero();
            int receives = queue.events.receives();
            queue.send(20);
            work(Duration.ofSeconds(1));
            assertThat(queue.events.receives()).isEqualTo(receives);
            assertThat(runs.total()).isZero();

            container.resume();

            eventually(() -> assertThat(runs.messages()).isEqualTo(20));
            assertThat(container.state()).isEqualTo(ContainerState.RUNNING);
            queue.eventuallyEmpty();
        }
    }

    @Test
    void whatAPausedContainerHasReceivedIsStillHandled() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch paused = new CountDownLatch(1);
        try (TestQueue queue = TestQueue.standard(LONG)) {
            queue.send(10);
            ListenerContainer container =
                    queue.listen(options -> options.batchSize(1).concurrency(1), batch -> {
                        running.countDown();
                        paused.await();
                        runs.addAll(batch);
                        return BatchOutcome.done();
                    });
            running.await();
            eventually(() -> assertThat(queue.events.received.get()).isEqualTo(10));

            container.pause();
            paused.countDown();

            eventually(() -> assertThat(runs.total()).isEqualTo(10));
            queue.eventuallyEmpty();
            container.stop();
            assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
        }
    }

    @Test
    void aHandlerMayStopItsOwnContainer() throws Exception {
        AtomicReference<ListenerContainer> own = new AtomicReference<>();
        try (TestQueue queue = TestQueue.standard(LONG)) {
            queue.send(1);
            ListenerContainer container = queue.container(options -> options, BatchListener.of(batch -> {
                runs.addAll(batch);
                own.get().stop();
            }));
            own.set(container);
            container.start();

            eventually(() -> assertThat(container.state()).isEqualTo(ContainerState.STOPPED));
            eventually(() -> assertThat(runs.total()).isEqualTo(1));
            queue.eventuallyEmpty();
        }
    }

    @Test
    void aHandlerThatOutlivesTheShutdownTimeoutIsInterruptedAndItsMessagesGoBack() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        AtomicBoolean interrupted = new AtomicBoolean();
        try (TestQueue queue = TestQueue.standard(LONG)) {
            queue.send(5);
            ListenerContainer container = queue.listen(
                    options -> options.batchSize(5)
                            .batchLinger(Duration.ofMillis(200))
                            .shutdownTimeout(Duration.ofSeconds(5)),
                    batch -> {
                        running.countDown();
                        try {
                            work(LONG);
                        } catch (InterruptedException e) {
                            interrupted.set(true);
                        }
                        return BatchOutcome.done();
                    });
            running.await();

            queue.time.freeze();
            container.stop();

            eventually(() -> assertThat(interrupted).isTrue());
            eventually(() -> assertThat(queue.visible()).isEqualTo(5));
            assertThat(queue.events.acknowledged.get()).isZero();
        }
    }
}
