/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.settle;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.internal.batch.Batcher;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.testkit.Deliveries;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.Operation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The deletes of settled messages, their retries, and deletes that are given up. */
class SettlerDeletesTests extends SettlerFixture {

    @Test
    void deletesGetFiveSecondsEvenIfTheLeaseHasEnded() throws Exception {
        List<Delivery> batch = standard.receive("a");
        standard.time.advance(SettleBench.LEASE);
        settle(standard, batch, DELETE);
        standard.flush();
        standard.server.assertDrained(standard.queue);
    }

    @Test
    void repeatsADeleteThatFifoRefusedBecauseTheMessageWasReceivedDuringTheCall() throws Exception {
        List<Delivery> batch = fifo.receive("a-1");
        fifo.receiveAgainDuring(Operation.DELETE);
        settle(fifo, batch, DELETE);
        fifo.pass(Duration.ofSeconds(1));
        fifo.server.assertDrained(fifo.queue);
        assertThat(fifo.events.acknowledgeFailures).isZero();
    }

    @Test
    void aManualDeleteIsTriedUnderTheLeaseOfASecondReceive() throws Exception {
        CompletableFuture<Void> deleted = standard.settler.delete(standard.receive("a"));
        standard.fail(Operation.DELETE);
        standard.flush();
        standard.time.advance(SettleBench.LEASE);
        assertThat(standard.receive()).isEmpty();
        standard.flush();
        assertThat(deleted).isNotDone();

        standard.server.faults(Faults.NONE);
        standard.pass(Duration.ofSeconds(6));

        standard.server.assertDrained(standard.queue);
        assertThat(deleted).isCompleted();
    }

    @Test
    void logsDeletesThatLackThePermissionAtTheFirstRefusalAndKnowsHowLongTheyFail() throws Exception {
        standard.deny(Operation.DELETE);
        try (LogCapture log = LogCapture.warnings()) {
            settle(standard, standard.receive("a"), DELETE);
            standard.flush();
            assertThat(log.event()).contains("Listener listener: deleting messages of orders fails (AccessDenied)");
            standard.pass(Duration.ofSeconds(25));
            assertThat(log.events()).hasSize(1);
        }
        assertThat(standard.failingFor(Operation.DELETE)).isGreaterThanOrEqualTo(Duration.ofSeconds(20));
        assertThat(standard.failingFor(Operation.CHANGE_VISIBILITY)).isZero();

        standard.server.faults(Faults.NONE);
        standard.pass(Duration.ofSeconds(6));
        standard.server.assertDrained(standard.queue);
        assertThat(standard.failingFor(Operation.DELETE)).isZero();
    }

    @Test
    void logsTheMissingActionOfDeletesWhoseEntriesLackThePermission() throws Exception {
        List<Delivery> batch = standard.receive("a");
        standard.reject(Operation.DELETE, new Faults.Rejection("AccessDenied", false), "a");
        try (LogCapture log = LogCapture.warnings()) {
            settle(standard, batch, DELETE);
            standard.flush();
            assertThat(log.events().getFirst())
                    .contains("deleting messages of orders fails (AccessDenied)")
                    .contains("Allow the credentials the action sqs:DeleteMessage on the queue");
        }
        assertThat(standard.failingFor(Operation.DELETE)).isZero();
        standard.time.advance(SettleBench.LEASE);
        assertThat(standard.receive()).isEmpty(); // its delete is tried again
        standard.flush();
        assertThat(standard.failingFor(Operation.DELETE)).isGreaterThanOrEqualTo(SettleBench.LEASE);
        standard.time.advance(Duration.ofHours(1)); // nothing was tried since
        assertThat(standard.failingFor(Operation.DELETE)).isZero();
    }

    @Test
    void logsDeletesThatAreGivenUpTogetherInOneLine() throws Exception {
        settle(standard, standard.receive("a", "b", "c"), DELETE, DELETE, DELETE);
        try (LogCapture log = LogCapture.warnings()) {
            standard.settler.batchers().forEach(Batcher::close);
            assertThat(log.event("handled but not deleted")).contains(": 3 messages (");
        }
        assertThat(standard.limit.used()).isZero();
        assertThat(standard.events.acknowledgeFailures).isEqualTo(3);
    }

    @Test
    void messagesBehindAGivenUpDeleteReturnAndComeAfterItsMessage() throws Exception {
        List<Delivery> all = fifo.receive("a-1", "a-2", "b-1");
        fifo.waiting.put("a", List.of(all.get(1)));
        fifo.reject(Operation.DELETE, Faults.Rejection.INVALID, "a-1");
        settle(fifo, all.subList(0, 1), DELETE);
        fifo.flush();
        fifo.flush();
        assertThat(fifo.lost).containsExactly("a");
        assertThat(fifo.waiting).isEmpty();
        assertThat(fifo.visible()).containsExactly("a-2");
        assertThat(fifo.receive()).as("withheld by SQS").isEmpty();
        assertThat(fifo.limit.used()).isEqualTo(1); // b-1
        fifo.server.faults(Faults.NONE);
        fifo.time.advance(SettleBench.LEASE);
        assertThat(Deliveries.bodies(fifo.receive())).containsExactly("a-2");
        fifo.flush();
        assertThat(fifo.server.deleted(fifo.queue)).hasSize(1);
    }

    @Test
    void aGivenUpDeleteIsReportedWhenItsGroupIsLost() throws Exception {
        List<Delivery> all = fifo.receive("a-1", "a-2");
        fifo.waiting.put("a", all.subList(1, 2));
        fifo.reject(Operation.DELETE, Faults.Rejection.INVALID, "a-1");
        fifo.events.onAcknowledgeFailed = () -> {
            assertThat(all.getLast().isLost()).isTrue();
            assertThat(all.getFirst().untracked()).isTrue();
            assertThat(all.getLast().unsettled()).isFalse();
        };
        settle(fifo, all.subList(0, 1), DELETE);
        fifo.flush();
        assertThat(fifo.events.acknowledgeFailures).isEqualTo(1);
        assertThat(fifo.events.unexpected).isEmpty();
    }

    @Test
    void messagesThatRanBehindAGivenUpDeleteAreNotDeleted() throws Exception {
        List<Delivery> all = fifo.receive("a-1", "a-2", "a-3");
        fifo.reject(Operation.DELETE, Faults.Rejection.INVALID, "a-1");
        settle(fifo, all.subList(0, 1), DELETE);
        fifo.flush();
        fifo.server.faults(Faults.NONE);

        settle(fifo, all.subList(1, 3), DELETE, NOT_RUN);
        fifo.flush();

        assertThat(fifo.server.deleted(fifo.queue)).isEmpty();
        assertThat(fifo.requeued).isEmpty();
        assertThat(fifo.limit.used()).isZero();
    }
}
