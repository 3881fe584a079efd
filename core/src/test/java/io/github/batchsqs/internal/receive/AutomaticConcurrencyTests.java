/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.listener.ContainerStatus;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ListenerOptions.InvocationExecutor;
import io.github.batchsqs.testkit.Progress;
import io.github.batchsqs.testkit.SettableTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An automatic concurrency in the engine. All invocations take 20 ms of a clock that the test advances. */
class AutomaticConcurrencyTests extends ContainerFixture {

    private static final Duration LATENCY = Duration.ofMillis(20);
    private static final int MAX = 24;
    private static final int MAX_ROUNDS = 500;

    private final SettableTime time = new SettableTime();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition advanced = lock.newCondition();
    private final List<Long> runningUntil = new ArrayList<>();
    private int mostRunning;
    private boolean over;
    private int sent;

    private final BatchListener<String> takingItsTime = batch -> {
        lock.lock();
        try {
            Long until = time.nanos() + LATENCY.toNanos();
            runningUntil.add(until);
            mostRunning = Math.max(mostRunning, runningUntil.size());
            while (until - time.nanos() > 0 && !over) {
                advanced.await();
            }
            runningUntil.remove(until);
        } finally {
            lock.unlock();
        }
        return BatchOutcome.done();
    };

    @AfterEach
    void lastInvocationsEnd() {
        lock.lock();
        try {
            over = true;
            advanced.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @ParameterizedTest
    @CsvSource({"orders, virtual", "orders.fifo, virtual", "orders, platform"})
    void growsWhileTheLatencyIsFlatAndTheStagesFollow(String queueName, String executor) {
        EngineContainer container = started(
                takingItsTime,
                options -> options.queue(queueName)
                        .batchSize(1)
                        .concurrency(ListenerOptions.AUTO_CONCURRENCY)
                        .concurrencyMax(MAX)
                        .acknowledge(new ListenerOptions.Acknowledge(
                                ListenerOptions.AcknowledgeMode.ON_SUCCESS, Duration.ZERO))
                        .executor(
                                executor.equals("platform")
                                        ? new InvocationExecutor.Platform()
                                        : new InvocationExecutor.Virtual()),
                time);
        send(queueName, 3 * MAX);
        assertThat(container.status().concurrency()).isEqualTo(16);
        assertThat(container.status().inFlightLimit()).isEqualTo(16 + 10);

        for (int round = 0; round < MAX_ROUNDS && container.status().concurrency() < MAX; round++) {
            round(container, queueName);
        }

        Progress.until(() -> takeTheirTime(container));
        assertThat(container.status().concurrency()).isEqualTo(MAX);
        assertThat(container.status().inFlightLimit()).isGreaterThanOrEqualTo(MAX + 10);
        assertThat(container.options().concurrency()).isEqualTo(ListenerOptions.AUTO_CONCURRENCY);
        assertThat(mostRunning).isEqualTo(MAX);

        container.setConcurrency(3);
        assertThat(container.status().concurrency()).isEqualTo(3);
        advance();
        Progress.until(() -> takeTheirTime(container));

        container.setConcurrency(ListenerOptions.AUTO_CONCURRENCY);
        assertThat(container.status().concurrency()).isEqualTo(16);
        send(queueName, MAX);
        Progress.until(() -> takeTheirTime(container));
        assertThat(container.options().concurrency()).isEqualTo(ListenerOptions.AUTO_CONCURRENCY);
    }

    /** Every place is taken by an invocation that is to take its time, and the time of all of them passes. */
    private void round(EngineContainer container, String queueName) {
        Progress.until(() -> takeTheirTime(container));
        send(queueName, MAX);
        advance();
    }

    /** Returns whether so many invocations run, and those before them are over. */
    private boolean takeTheirTime(EngineContainer container) {
        ContainerStatus status = container.status();
        lock.lock();
        try {
            return status.activeInvocations() == status.concurrency()
                    && runningUntil.size() == status.concurrency()
                    && runningUntil.stream().allMatch(until -> until - time.nanos() > 0);
        } finally {
            lock.unlock();
        }
    }

    private void advance() {
        lock.lock();
        try {
            time.advance(LATENCY);
            advanced.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void send(String queueName, int messages) {
        for (int i = 0; i < messages; i++) {
            String payload = "m" + sent++;
            if (queueName.endsWith(".fifo")) {
                client.putInGroup(fifo, payload, payload);
            } else {
                client.put(queue, payload);
            }
        }
    }
}
