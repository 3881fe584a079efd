/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.ContainerState;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The engine itself throws: it reads the clock, and the clock fails. */
@Execution(ExecutionMode.CONCURRENT)
class SupervisorTests extends ContainerFixture {

    private final AtomicInteger restarts = new AtomicInteger();
    private final BrokenClock clock = new BrokenClock();

    /** Fails once for a class of the engine. */
    private static final class BrokenClock implements TimeSource {

        private volatile @Nullable String failsFor;

        @Override
        public long nanos() {
            String type = failsFor;
            if (type != null
                    && StackWalker.getInstance()
                            .walk(frames -> frames.limit(4)
                                    .anyMatch(frame -> frame.getClassName().endsWith("." + type)))) {
                failsFor = null;
                throw new IllegalStateException("The clock failed by a test's wish");
            }
            return System.nanoTime();
        }

        @Override
        public Instant now() {
            return Instant.now();
        }
    }

    SupervisorTests() {
        events = event -> {
            if (event instanceof ListenerEvent.Restarting) {
                restarts.incrementAndGet();
            }
        };
    }

    @Test
    void aTimerThatFailsEndsTheRunAndTheNextOneGoesOn() throws Exception {
        try (LogCapture log = LogCapture.warnings()) {
            EngineContainer container = started(collect, options -> options.visibility(leaseOf(2)), clock);
            client.put(queue, "before");
            assertThat(take()).isEqualTo("before");
            clock.failsFor = "VisibilityExtender";
            Progress.until(restarts::get, 1);
            Progress.until(() -> container.status().problem() == null); // of the next run
            client.put(queue, "after");
            assertThat(take()).isEqualTo("after");
            Progress.until(container::state, ContainerState.RUNNING); // its first poller may be ahead of it
            assertThat(container.status().problem()).isNull();
            assertThat(log.event("the engine failed")).contains("The clock failed by a test's wish");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Valve", "Dispatcher", "BatchInvoker", "Deleter"})
    void aMessageOfARunThatFailsIsHandledAndDeletedByTheNextRun(String stage) throws Exception {
        started(collect, options -> options.visibility(leaseOf(1)).shutdownTimeout(Duration.ofSeconds(2)), clock);
        clock.failsFor = stage;
        client.put(queue, "a");
        assertThat(take()).isEqualTo("a");
        Progress.until(restarts::get, 1);
        Progress.until(() -> client.deleted(queue).size(), 1);
        client.assertDrained(queue);
    }

    @Test
    void theStatusNamesTheFailureUntilTheContainerIsStoppedOrStartsAgain() {
        EngineContainer container = started(collect, options -> options.visibility(leaseOf(2)), clock);
        clock.failsFor = "VisibilityExtender";
        Progress.until(() -> container.state() == ContainerState.STOPPED);
        assertThat(container.status().problem())
                .startsWith("its engine failed (java.lang.IllegalStateException: The clock");
        container.stop();
        assertThat(container.status().problem()).isNull();
        container.start();
        assertThat(container.status().problem()).isNull();
    }

    @Test
    void theWaitDoublesWhileTheEngineFailsAgainWithinAMinute() {
        try (LogCapture log = LogCapture.infos()) {
            EngineContainer container = started(collect, options -> options.visibility(leaseOf(2)), clock);
            for (int run = 1; run <= 2; run++) {
                Progress.until(() -> container.state() == ContainerState.RUNNING);
                clock.failsFor = "VisibilityExtender";
                Progress.until(restarts::get, run);
            }
            Progress.until(() -> log.events().stream().anyMatch(line -> line.contains("starts again in 2s")));
            assertThat(log.events()).anyMatch(line -> line.contains("starts again in 1s"));
        }
    }

    private static ListenerOptions.Visibility leaseOf(int seconds) {
        return new ListenerOptions.Visibility(Duration.ofSeconds(seconds), Duration.ofHours(1));
    }
}
