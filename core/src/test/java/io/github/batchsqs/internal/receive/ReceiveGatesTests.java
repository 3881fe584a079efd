/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.listener.ReceiveGate.Permission;
import io.github.batchsqs.listener.ReceiveWait;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Listeners with gates, on a queue in memory. */
class ReceiveGatesTests extends ContainerFixture {

    private static final Permission HOUR = Permission.waitFor(Duration.ofHours(1), "maintenance");
    private static final Permission MOMENT = Permission.waitFor(Duration.ofMillis(1), "a moment");

    private final AtomicInteger asked = new AtomicInteger();
    private volatile Permission answer = Permission.go();
    private final CountDownLatch release = new CountDownLatch(1);

    ReceiveGatesTests() {
        gates = Map.of("gate", id -> {
            asked.incrementAndGet();
            return answer;
        });
    }

    @AfterEach
    void releaseAll() {
        release.countDown();
    }

    @Test
    void aClosedListenerHoldsNothingAndSaysWhy() throws Exception {
        answer = MOMENT;
        client.put(queue, "a", "b");
        EngineContainer container = started(collect, options -> options.pollers(4, 8));

        ReceiveWait wait = waiting(container);

        assertThat(wait.reason()).isEqualTo("gate");
        assertThat(wait.detail()).isEqualTo("gate: a moment");
        assertThat(wait.failingFor()).isZero();
        Progress.until(() -> asked.get() > 20);
        assertThat(container.status().permits()).isZero();
        assertThat(container.status().inFlight()).isZero();
        assertThat(container.status().problem()).isNull();
        assertThat(container.status().pollers()).isEqualTo(4);
        assertThat(client.calls(Operation.RECEIVE)).isZero();

        answer = Permission.go();

        assertThat(List.of(take(), take())).containsExactlyInAnyOrder("a", "b");
        Progress.until(() -> container.status().receiveWait() == null);
    }

    @Test
    void aGateBoundsTheReceivesAndStartsNoFurtherPoller() throws Exception {
        answer = Permission.goWithAtMost(2);
        List<Integer> receives = new CopyOnWriteArrayList<>();
        events = event -> {
            if (event instanceof ListenerEvent.ApiCall call && call.operation().equals("ReceiveMessage")) {
                receives.add(call.entries());
            }
        };
        client.put(queue, "a", "b", "c", "d", "e", "f", "g");
        EngineContainer container = started(collect, options -> options.pollers(1, 8));

        Progress.until(handled::size, 7);

        assertThat(receives).containsExactly(2, 2, 2, 1);
        assertThat(container.status().pollers()).isEqualTo(1);
    }

    @Test
    void aResumeAsksTheGateAnew() throws Exception {
        answer = HOUR;
        client.put(queue, "a");
        EngineContainer container = started(collect);
        var ignored = waiting(container);
        container.pause();
        assertThat(container.status().receiveWait()).isNull();
        assertThat(container.status().pollers()).isZero();

        answer = Permission.go();
        container.resume();

        assertThat(take()).isEqualTo("a");
    }

    @Test
    void aGateThatBlocksEndsByTheStop() throws Exception {
        gates = Map.of("gate", id -> {
            asked.incrementAndGet();
            release.await();
            return Permission.go();
        });
        EngineContainer container = started(collect, options -> options.pollers(3, 3), standingStill);
        Progress.until(asked::get, 1); // one poller asks for all
        try (LogCapture log = LogCapture.warnings()) {
            container.stop();
            assertThat(log.events()).isEmpty();
        }
        assertThat(client.calls(Operation.RECEIVE)).isZero();
    }

    @Test
    void aGateThatIgnoresTheInterruptOfAStopIsNamedInTheLogAndReceivesNothing() throws Exception {
        gates = Map.of("gate", id -> {
            asked.incrementAndGet();
            awaitUninterruptibly(release);
            return Permission.go();
        });
        EngineContainer container = started(collect, options -> options, standingStill);
        Progress.until(asked::get, 1);
        try (LogCapture log = LogCapture.warnings()) {
            container.stop();
            assertThat(log.event())
                    .contains("Listener orders-listener: gates do not return when their thread is interrupted");
        }
        release.countDown();
        assertThat(client.calls(Operation.RECEIVE)).isZero();
    }

    @Test
    void aPermissionFromBeforeALongWaitForPermitsIsAskedForAgain() throws Exception {
        EngineContainer container = started(
                batch -> {
                    release.await();
                    handled.addAll(batch.payloads());
                    return BatchOutcome.done();
                },
                options -> options.concurrency(1).batchSize(1).prefetch(0),
                standingStill);
        client.put(queue, "a", "b");
        Progress.until(() -> container.status().blockedPollers(), 1);
        answer = HOUR;
        standingStill.advance(Duration.ofSeconds(2));

        release.countDown();

        assertThat(take()).isEqualTo("a");
        Progress.until(() -> {
            standingStill.advance(Duration.ofSeconds(1)); // its delete is sent, which frees the permit
            return "gate".equals(reason(container));
        });
        assertThat(waiting(container).detail()).isEqualTo("gate: maintenance");
        assertThat(client.visible(queue)).hasSize(1);
    }

    @Test
    void receivesThatAllFailAreReportedAlthoughAGateClosesNowAndThen() throws Exception {
        gates = Map.of("gate", id -> asked.incrementAndGet() % 2 == 1 ? MOMENT : Permission.go());
        client.faults(Faults.failing(Operation.RECEIVE));
        EngineContainer container = started(collect, options -> options.pollers(1, 1), standingStill);

        Progress.until(() -> {
            standingStill.advance(Duration.ofMillis(250));
            container.setPollers(1, 1); // which has the poller look at the clock
            return container.status().receiveFailingFor().compareTo(Duration.ofSeconds(10)) > 0;
        });

        assertThat(client.calls(Operation.RECEIVE)).isGreaterThan(1);
        assertThat(container.status().receiveFailure()).isNotNull();
    }

    @Test
    void theTimeThatAGateIsClosedDoesNotCountAsFailing() throws Exception {
        client.faults(Faults.failing(Operation.RECEIVE));
        EngineContainer container = started(collect, options -> options.pollers(1, 1), standingStill);
        Progress.until(() -> container.status().receiveFailure() != null);
        answer = HOUR;
        Progress.until(() -> {
            standingStill.advance(Duration.ofMillis(100));
            container.setPollers(1, 1);
            return "gate".equals(reason(container));
        });
        Duration before = container.status().receiveFailingFor();

        standingStill.advance(Duration.ofMinutes(59));

        assertThat(container.status().receiveFailingFor()).isEqualTo(before);
        assertThat(container.status().receiveFailure()).isNotNull();
    }

    private static ReceiveWait waiting(EngineContainer container) {
        return Objects.requireNonNull(
                Progress.untilMatches(() -> container.status().receiveWait(), wait -> wait != null));
    }

    private static @Nullable String reason(EngineContainer container) {
        ReceiveWait wait = container.status().receiveWait();
        return wait == null ? null : wait.reason();
    }
}
