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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Stops under load, while idle and many at once, and restarts, on a real server. */
@Execution(ExecutionMode.CONCURRENT)
class StopFaultTests {

    private static final Duration LONG = Duration.ofMinutes(10);

    private final Runs runs = new Runs();

    @Test
    void aStopUnderLoadInterruptsNoHandlerLosesNoAcknowledgementAndReturnsTheRestToTheQueue() throws Exception {
        AtomicInteger interrupted = new AtomicInteger();
        CountDownLatch stopping = new CountDownLatch(1);
        try (TestQueue queue = TestQueue.standard(LONG)) {
            queue.send(300);
            ListenerContainer container =
                    queue.listen(options -> options.batchSize(1).concurrency(7).prefetch(40), batch -> {
                        runs.addAll(batch);
                        try {
                            if (runs.total() > 30) {
                                stopping.await();
                                work(Duration.ofMillis(100));
                            }
                        } catch (InterruptedException e) {
                            interrupted.incrementAndGet();
                        }
                        return BatchOutcome.done();
                    });
            eventually(() -> assertThat(runs.total()).isGreaterThan(30));

            TestQueue.stopUnderLoad(container, stopping);

            int handled = runs.total();
            assertThat(handled).isLessThan(300);
            assertThat(interrupted).hasValue(0);
            assertThat(queue.events.acknowledged.get()).isEqualTo(handled);
            assertThat(queue.visible()).isEqualTo(300 - handled);
            assertThat(queue.hidden()).isZero();
        }
    }

    @Test
    void anIdleStopDoesNotWaitForTheEndOfTheLongPoll() throws Exception {
        try (TestQueue queue = TestQueue.standard()) {
            ListenerContainer container = queue.listen(
                    options -> options.waitTime(Duration.ofSeconds(20)).pollers(4, 4), BatchListener.of(runs::addAll));
            eventually(() -> assertThat(container.status().permits()).isEqualTo(40));

            Progress.get(CompletableFuture.runAsync(container::stop));

            assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
            assertThat(queue.events.receives() - queue.events.failedCalls.size())
                    .as("polls that lasted their 20 s")
                    .isZero();
        }
    }

    @Test
    void severalThreadsMayStopAContainerAtOnceAndAgain() throws Exception {
        try (TestQueue queue = TestQueue.standard()) {
            queue.send(100);
            ListenerContainer container = queue.listen(options -> options, batch -> {
                runs.addAll(batch);
                work(Duration.ofMillis(50));
                return BatchOutcome.done();
            });
            eventually(() -> assertThat(runs.total()).isPositive());
            List<CompletableFuture<Void>> stops = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                stops.add(CompletableFuture.runAsync(
                        container::stop, task -> Thread.ofVirtual().start(task)));
            }

            for (CompletableFuture<Void> stop : stops) {
                Progress.get(stop);
            }
            container.stop();

            assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
            assertThat(queue.size()).isEqualTo(100 - runs.total());
        }
    }

    /** One timer sends what is in its batch once in a linger, several do so more often; full batches do not wait for it. */
    @Test
    void restartsLeaveNoTimersThatMakeTinyBatches() throws Exception {
        Duration linger = Duration.ofMillis(50);
        try (TestQueue queue = TestQueue.standard()) {
            // The receives return at once: the server would give the messages to a long poll that a stop has aborted.
            ListenerContainer container = queue.container(
                    options -> options.batchSize(1)
                            .waitTime(Duration.ZERO)
                            .pollers(new ListenerOptions.Pollers(1, 8, Duration.ofMillis(50)))
                            .acknowledge(new ListenerOptions.Acknowledge(
                                    ListenerOptions.AcknowledgeMode.ON_SUCCESS, linger)),
                    BatchListener.of(runs::addAll));
            for (int i = 0; i < 5; i++) {
                container.start();
                container.stop();
            }
            queue.send(300);
            long startedAt = System.nanoTime();
            container.start();

            eventually(() -> assertThat(queue.events.acknowledged.get()).isEqualTo(300));

            long lingers = (System.nanoTime() - startedAt) / linger.toNanos();
            assertThat(queue.events.deletes()).isLessThanOrEqualTo((int) (300 / 10 + lingers + 1));
        }
    }
}
