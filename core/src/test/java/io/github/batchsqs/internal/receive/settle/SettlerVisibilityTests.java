/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.settle;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.Progress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Visibility that the handler changes, beside the heartbeats of the listener. */
class SettlerVisibilityTests extends SettlerFixture {

    private static final Duration TEN_MINUTES = Duration.ofMinutes(10);

    private CompletableFuture<Void> change(List<Delivery> deliveries, Duration timeout) {
        return standard.settler.changeVisibility(deliveries, timeout);
    }

    @Test
    void hidesMessagesForTheTimeOfTheHandlerWithoutHeartbeatsAndExtendsThemAgainBeforeItsEnd() throws Exception {
        List<Delivery> batch = standard.receive("a", "b");
        CompletableFuture<Void> changed = change(batch, TEN_MINUTES);
        assertThat(changed).isNotDone();
        standard.flush();

        assertThat(changed).isCompleted();
        assertThat(standard.events.extended).isEqualTo(2);
        for (int i = 0; i < 20 * 60; i += 3) {
            standard.time.advance(Duration.ofSeconds(3));
            beat(standard);
            if (i < 9 * 60) {
                assertThat(standard.server.calls(Operation.CHANGE_VISIBILITY)).isEqualTo(1);
            }
        }
        assertThat(standard.inFlight()).containsExactly("a", "b");
        assertThat(standard.events.leasesLost).isZero();
    }

    @Test
    void needsNoCallForATimeBeforeTheEndOfTheLease() throws Exception {
        List<Delivery> batch = standard.receive("a");

        assertThat(change(batch, Duration.ZERO)).isCompleted();

        assertThat(batch.getFirst().visibleFrom()).isEqualTo(standard.time.nanos());
        assertThat(standard.server.calls(Operation.CHANGE_VISIBILITY)).isZero();
        assertThat(standard.inFlight()).containsExactly("a");
    }

    @Test
    void doesNotShortenALeaseWhoseEndIsUncertain() throws Exception {
        standard.put(Map.of(), "a");
        List<Delivery> batch =
                standard.receiveAfter(SettleBench.LEASE.multipliedBy(2).dividedBy(3));
        long latest = batch.getFirst().leaseUntil();
        assertThat(batch.getFirst().leaseAtLeastUntil()).isLessThan(latest);

        CompletableFuture<Void> changed = change(batch, SettleBench.LEASE.dividedBy(2));
        standard.flush();

        assertThat(changed).isCompleted();
        assertThat(batch.getFirst().leaseUntil()).isEqualTo(latest);
        standard.time.advance(SettleBench.LEASE.dividedBy(10).multipliedBy(9));
        assertThat(standard.inFlight()).containsExactly("a");
    }

    @Test
    void failsAllChangesThatShareACallIfTheLongestIsRefused() throws Exception {
        List<Delivery> batch = standard.receive("a");
        standard.reject(Operation.CHANGE_VISIBILITY, Faults.Rejection.INVALID, "a");
        CompletableFuture<Void> longer = change(batch, TEN_MINUTES);
        CompletableFuture<Void> shorter = change(batch, Duration.ofMinutes(2));
        standard.flush();

        assertThat(longer).isCompletedExceptionally();
        assertThat(shorter).isCompletedExceptionally();
    }

    @Test
    void heartbeatsOfAGroupDoNotShortenTheTimeThatTheHandlerChoseFirst() throws Exception {
        List<Delivery> group = fifo.receive("a-1", "a-2");
        CompletableFuture<Void> longer = fifo.settler.changeVisibility(group.subList(0, 1), TEN_MINUTES);
        fifo.flush();
        CompletableFuture<Void> shorter = fifo.settler.changeVisibility(group.subList(0, 1), Duration.ofSeconds(5));
        fifo.time.advance(SettleBench.LEASE.dividedBy(2));
        fifo.extender.tick(); // a-2 is due, and its group is extended with it
        fifo.flush();

        assertThat(longer).isCompleted();
        assertThat(shorter).isCompleted();
        fifo.time.advance(Duration.ofMinutes(2));
        assertThat(fifo.inFlight()).contains("a-1");
    }

    @Test
    void limitsTheTimeToTheMaximumOfSqs() throws Exception {
        CompletableFuture<Void> changed = change(standard.receive("a"), Duration.ofDays(100_000));
        standard.flush();

        assertThat(changed).isCompleted();
        standard.time.advance(Duration.ofHours(11));
        assertThat(standard.inFlight()).containsExactly("a");
    }

    @Test
    void failsForASettledMessageAndChangesTheOthers() throws Exception {
        List<Delivery> batch = standard.receive("a", "b");
        standard.settler.returnToQueue(batch.subList(0, 1));

        CompletableFuture<Void> changed = change(batch, TEN_MINUTES);
        standard.flush();

        assertThat(Progress.failure(changed)).hasMessageContaining("is settled or no longer in flight here");
        standard.time.advance(Duration.ofMinutes(9));
        assertThat(standard.inFlight()).containsExactly("b");
    }

    @Test
    void reportsALostLeaseIfSqsRefusesTheChange() throws Exception {
        List<Delivery> batch = standard.receive("a");
        standard.reject(Operation.CHANGE_VISIBILITY, Faults.Rejection.INVALID, "a");
        try (var log = LogCapture.warnings()) {
            CompletableFuture<Void> changed = change(batch, TEN_MINUTES);
            standard.flush();

            assertThat(changed).isCompletedExceptionally();
            assertThat(log.event()).contains("lost the lease of");
        }
        assertThat(batch.getFirst().leaseLost(standard.time.nanos())).isTrue();
        assertThat(standard.events.leasesLost).isEqualTo(1);
    }

    @Test
    void aHeartbeatMakesAChangeThatFailed() throws Exception {
        List<Delivery> batch = standard.receive("a");
        standard.fail(Operation.CHANGE_VISIBILITY);
        CompletableFuture<Void> changed = change(batch, TEN_MINUTES);
        standard.pass(Duration.ofSeconds(6));
        assertThat(changed).isCompletedExceptionally();

        standard.server.faults(Faults.NONE);
        standard.time.advance(Duration.ofSeconds(10));
        beat(standard);

        assertThat(standard.events.extended).isEqualTo(1);
        standard.time.advance(Duration.ofMinutes(9));
        assertThat(standard.inFlight()).containsExactly("a");
    }

    @Test
    void forgetsTheTimeOfTheHandlerWhenTheMessageIsReceivedAgain() throws Exception {
        Delivery delivery = standard.receive("a").getFirst();
        CompletableFuture<Void> ignored = change(List.of(delivery), TEN_MINUTES);
        standard.receiveAgainDuring(Operation.CHANGE_VISIBILITY);
        standard.flush();

        assertThat(delivery.visibleFrom()).isNull();
    }
}
