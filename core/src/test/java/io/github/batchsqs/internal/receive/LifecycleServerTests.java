/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static io.github.batchsqs.internal.receive.TestQueue.eventually;
import static io.github.batchsqs.internal.receive.TestQueue.work;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Stop and restart, on a real server. */
@Execution(ExecutionMode.CONCURRENT)
class LifecycleServerTests {

    /** Longer than any test, so that what comes back was given back and did not just run out. */
    private static final Duration LONG = Duration.ofMinutes(10);

    private final Runs runs = new Runs();

    @Test
    void aStopUnderLoadLosesNothingReturnsWaitingMessagesAndRepeatsNothing() throws Exception {
        int messages = 600;
        AtomicBoolean interrupted = new AtomicBoolean();
        CountDownLatch stopping = new CountDownLatch(1);
        try (TestQueue queue = TestQueue.standard(LONG)) {
            queue.send(messages);
            EngineContainer container =
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
            EngineContainer container =
                    queue.listen(options -> options.waitTime(Duration.ofSeconds(20)), BatchListener.of(runs::addAll));
            eventually(() -> assertThat(container.status().permits()).isPositive());

            CompletableFuture<Void> stopped = CompletableFuture.runAsync(container::stop);

            Progress.get(stopped);
            assertThat(container.state()).isEqualTo(ContainerState.STOPPED);
            assertThat(queue.events.receives()).isZero();
        }
    }

    /** One timer sends what is in its batch once in a linger, several do so more often; full batches do not wait for it. */
    @Test
    void restartsLeaveNoTimersThatMakeTinyBatches() throws Exception {
        Duration linger = Duration.ofMillis(50);
        try (TestQueue queue = TestQueue.standard()) {
            // The receives return at once: the server would give the messages to a long poll that a stop has aborted.
            EngineContainer container = queue.container(
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
