/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.settle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.Settlement;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.Operation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Manual acknowledgement. */
class SettlerManualTests extends SettlerFixture {

    @Test
    void aSecondManualCallReturnsTheFutureOfTheFirst() throws Exception {
        List<Delivery> batch = standard.receive("a");
        CompletableFuture<Void> first = standard.settler.delete(batch);
        CompletableFuture<Void> second = standard.settler.release(batch, Duration.ZERO);
        assertThat(second).isNotDone();
        standard.flush();
        assertThat(first).isCompleted();
        assertThat(second).isCompleted();
        standard.server.assertDrained(standard.queue);
    }

    @Test
    void aManualDeleteOfAMessageThatIsNoLongerHeldFails() throws Exception {
        List<Delivery> batch = standard.receive("a");
        standard.settler.returnToQueue(batch);
        assertThat(standard.settler.delete(batch))
                .isCompletedExceptionally()
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(BatchSqsException.class)
                .withMessageContaining("no longer in flight here");
    }

    @Test
    void aManualReleaseWithTheLongestDelayIsAccepted() throws Exception {
        List<Delivery> batch = standard.receive("a");
        standard.time.advance(Duration.ofSeconds(3));
        CompletableFuture<Void> future = standard.settler.release(batch, Duration.ofHours(12));
        standard.flush();
        assertThat(future).isCompleted();
        standard.time.advance(Duration.ofHours(12).minusMinutes(2));
        assertThat(standard.visible()).isEmpty();
        standard.time.advance(Duration.ofMinutes(2));
        assertThat(standard.visible()).containsExactly("a");
    }

    @Test
    void aManualReleaseWithANegativeDelayIsRefused() throws Exception {
        List<Delivery> batch = standard.receive("a");
        assertThatThrownBy(() -> standard.settler.release(batch, Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("after must not be negative, but is PT-1S");
        assertThat(batch.getFirst().unsettled()).isTrue();
    }

    @Test
    void aManualReleaseOfAGroupsMessageReturnsTheWaitingOnesBehindIt() throws Exception {
        List<Delivery> all = fifo.receive("a-1", "a-2", "a-3");
        fifo.waiting.put("a", all.subList(1, 3));
        CompletableFuture<Void> future = fifo.settler.release(all.subList(0, 1), Duration.ZERO);
        fifo.flush();
        fifo.pass(Duration.ofSeconds(1));
        assertThat(future).isCompleted();
        assertThat(fifo.visible()).containsExactly("a-1", "a-2", "a-3");
    }

    @Test
    void messagesOfAGroupThatDidNotRunReturnBehindAManualReleaseAndOthersStayTheHandlers() throws Exception {
        List<Delivery> batch = fifo.receive("a-1", "a-2", "a-3", "a-4");
        CompletableFuture<Void> returned =
                fifo.settler.release(batch.subList(1, 2), Duration.ofMinutes(1)); // a-1 ran, too
        settle(fifo, batch, MANUAL, MANUAL, MANUAL, NOT_RUN);
        fifo.flush();
        assertThat(returned).isCompleted();

        assertThat(batch).extracting(Delivery::unsettled).containsExactly(true, false, true, false);
        CompletableFuture<Void> done = fifo.settler.delete(List.of(batch.get(0), batch.get(2)));
        fifo.flush();
        assertThat(done).isCompleted();
        fifo.pass(Duration.ofSeconds(59));
        assertThat(fifo.receive()).as("withheld by SQS").isEmpty();
        fifo.pass(Duration.ofSeconds(1));
        assertThat(fifo.visible()).containsExactly("a-2", "a-4");
    }

    @Test
    void aManualReleaseDoesNotDelayTheFailuresAheadOfIt() throws Exception {
        for (SettleBench bench : List.of(fifo, SettleBench.retryingHere(true, Duration.ofHours(1)))) {
            List<Delivery> batch = bench.receive("a-1", "a-2", "a-3", "a-4");
            batch.get(0).failed(new Delivery.Failure(cause, true));
            CompletableFuture<Void> ignored = bench.settler.release(batch.subList(2, 3), Duration.ofMinutes(1));
            settle(bench, batch, new Settlement.Release(Duration.ofSeconds(5)), NOT_RUN, MANUAL, NOT_RUN);
            bench.pass(Duration.ofSeconds(4));
            assertThat(bench.visible()).isEmpty();
            bench.pass(Duration.ofSeconds(2));
            assertThat(bench.visible()).containsExactly("a-1", "a-2", "a-4");
            bench.pass(Duration.ofSeconds(55));
            assertThat(bench.visible()).containsExactly("a-1", "a-2", "a-3", "a-4");
            assertThat(bench.triedAgain).isEmpty();
        }
    }

    @Test
    void aFailureBehindAManualReleaseReturnsBehindItAndIsNotRetriedHere() throws Exception {
        SettleBench bench = SettleBench.retryingHere(true, Duration.ofHours(1));
        List<Delivery> batch = bench.receive("a-1", "a-2", "a-3");
        batch.get(1).failed(new Delivery.Failure(cause, true));
        CompletableFuture<Void> ignored = bench.settler.release(batch.subList(0, 1), Duration.ofMinutes(1));
        settle(bench, batch, MANUAL, new Settlement.Release(Duration.ofSeconds(1)), NOT_RUN);
        bench.pass(Duration.ofMillis(500));
        assertThat(bench.visible()).as("before its own delay").isEmpty();
        bench.pass(Duration.ofSeconds(58));

        assertThat(bench.triedAgain).isEmpty();
        assertThat(bench.receive()).as("withheld by SQS").isEmpty();
        bench.pass(Duration.ofSeconds(3));
        assertThat(bench.visible()).containsExactly("a-1", "a-2", "a-3");
    }

    @Test
    void aManualReleaseOfAMessageThatIsSettledReturnsNoOther() throws Exception {
        List<Delivery> all = fifo.receive("a-1", "a-2");
        fifo.waiting.put("a", all.subList(1, 2));
        CompletableFuture<Void> ignored = fifo.settler.delete(all.subList(0, 1));
        ignored = fifo.settler.release(all.subList(0, 1), Duration.ZERO);
        fifo.flush();
        assertThat(fifo.lost).isEmpty();
        assertThat(fifo.inFlight()).containsExactly("a-2");
    }

    @Test
    void aManualDeleteThatFailsFailsItsFuture() throws Exception {
        List<Delivery> batch = standard.receive("a");
        standard.reject(Operation.DELETE, Faults.Rejection.INVALID, "a");
        CompletableFuture<Void> future = standard.settler.delete(batch);
        standard.flush();
        assertThat(future).isCompletedExceptionally();
    }
}
