/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.delivery;

import static io.github.batchsqs.testkit.Deliveries.bodies;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.testkit.Deliveries.Message;
import io.github.batchsqs.testkit.SettableTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InFlightLedgerTests {

    private static final Duration LEASE = Duration.ofSeconds(30);

    private static final Duration WAIT = Duration.ofSeconds(20);

    private final SettableTime time = new SettableTime();
    private final InFlightLimit limit = new InFlightLimit(100_000, MessageMemory.unlimited());
    private final InFlightLedger ledger = new InFlightLedger(false, LEASE, limit, time, untracked -> {});
    private final InFlightLedger fifo = new InFlightLedger(true, LEASE, limit, time, untracked -> {});

    @Test
    void aDeadLetterWhoseDeleteWasGivenUpIsStillOneWhenItComesAgain() {
        Delivery dead = receive(ledger, "a").toRun().getFirst();
        dead.deadLettered();
        ledger.notDeleted(List.of(dead));
        ledger.untrack(List.of(dead));

        assertThat(receive(ledger, "a").toDelete().getFirst().isDeadLettered()).isTrue();
    }

    @Test
    void theLateResponseOfAnEarlierReceiveChangesNothing() {
        long calledFirst = time.nanos();
        time.advance(LEASE.plus(WAIT).plusSeconds(1));
        Delivery second = receive(ledger, "a").toRun().getFirst();
        long leaseUntil = second.leaseUntil();

        InFlightLedger.Received unused = ledger.receive(List.of(new Message("a", 1)), calledFirst, WAIT);

        assertThat(second.leaseUntil()).isEqualTo(leaseUntil);
        assertThat(second.leaseLost(time.nanos())).isFalse();
    }

    @Test
    void theLateResponseOfAReceiveThatSqsCountedBeforeChangesNothing() {
        long called = time.nanos(); // of both
        Delivery second = ledger.receive(List.of(new Message("a", 2)), called, WAIT)
                .toRun()
                .getFirst();
        time.advance(LEASE.dividedBy(2));
        long leaseUntil = second.leaseUntil();

        InFlightLedger.Received first = ledger.receive(List.of(new Message("a", 1)), called, WAIT);

        assertThat(first.kept()).isZero();
        assertThat(second.receiptHandle()).isEqualTo("a/2");
        assertThat(second.leaseUntil()).isEqualTo(leaseUntil);
    }

    @Test
    void aSecondReceiveAfterTheLeaseEndedTellsThatItWasLost() {
        Delivery first = receive(ledger, "a").toRun().getFirst();
        time.advance(Duration.ofSeconds(31));

        InFlightLedger.Received again = ledger.receive(List.of(new Message("a", 2)), time.nanos(), WAIT);

        assertThat(again.leasesLost()).isEqualTo(1);
        assertThat(first.leaseLost(time.nanos())).isFalse();
        assertThat(first.everLost()).isTrue();
    }

    @Test
    void itIsDeletedAgainOnce() {
        Delivery handled = receive(ledger, "a").toRun().getFirst();
        ledger.notDeleted(List.of(handled));
        ledger.untrack(receive(ledger, "a").toDelete());

        assertThat(bodies(receive(ledger, "a").toRun())).containsExactly("a");
    }

    @Test
    void rememberedMessagesTakeBoundedMemory() {
        int more = HandledMessages.REMEMBERED + 5;
        List<Delivery> all = new ArrayList<>();
        for (int i = 0; i < more; i++) {
            all.addAll(receive(ledger, "m" + i).toRun());
        }
        ledger.notDeleted(all);

        assertThat(receive(ledger, "m0").toRun()).hasSize(1);
        assertThat(receive(ledger, "m4").toRun()).hasSize(1);
        assertThat(receive(ledger, "m5").toDelete()).hasSize(1);
        assertThat(receive(ledger, "m" + (more - 1)).toDelete()).hasSize(1);
    }

    @Test
    void aDuplicateOfADeletedMessageDoesNotRunForTwoLeases() {
        ledger.deleted(receive(ledger, "a").toRun());
        ledger.untrack(receive(ledger, "a").toDelete());
        time.advance(LEASE.multipliedBy(2).minusMillis(1));
        assertThat(bodies(receive(ledger, "a").toDelete())).containsExactly("a");
        ledger.untrack(ledger.tracked());
        time.advance(Duration.ofMillis(1));
        assertThat(bodies(receive(ledger, "a").toRun())).containsExactly("a");
    }

    @Test
    void aDuplicateOfADeletedDeadLetterIsOneToo() {
        Delivery dead = receive(ledger, "a").toRun().getFirst();
        dead.deadLettered();
        ledger.deleted(List.of(dead));
        assertThat(receive(ledger, "a").toDelete().getFirst().isDeadLettered()).isTrue();
    }

    @Test
    void whatIsBeingGivenBackIsNewWhenItComesAgainAlthoughItsPermitIsStillTaken() {
        Delivery released = receive(ledger, "a").toRun().getFirst();
        ledger.treatAsNew(List.of(released));

        Delivery again = receive(ledger, "a").toRun().getFirst();

        assertThat(again).isNotSameAs(released);
        assertThat(limit.used()).isEqualTo(2);
        ledger.untrack(List.of(released));
        assertThat(ledger.tracked()).containsExactly(again);
        assertThat(limit.used()).isEqualTo(1);
    }

    @Test
    void countsTheMessagesThatWereClaimed() {
        Delivery first = receive(ledger, "a", "b").toRun().getFirst();
        assertThat(ledger.settledSoFar()).isZero();

        assertThat(first.claim()).isTrue();
        assertThat(first.claim()).isFalse();

        assertThat(ledger.settledSoFar()).isEqualTo(1);
    }

    @Test
    void leavingTwiceCountsOnce() {
        List<String> told = new ArrayList<>();
        InFlightLedger fifo = new InFlightLedger(
                true,
                LEASE,
                limit,
                time,
                left -> left.forEach(delivery -> told.add(delivery.message().body())));
        List<Delivery> held = receive(fifo, "a", "b").toRun();

        fifo.untrack(held);
        fifo.untrack(held);

        assertThat(told).containsExactly("a", "b");
        assertThat(limit.used()).isZero();
    }

    @Test
    void groupsAreLanesOnFifoQueuesOnly() {
        assertThat(receive(ledger, "g-1").toRun().getFirst().group()).isNull();
        assertThat(receive(fifo, "g-1").toRun().getFirst().group()).isEqualTo("g");
    }

    @Test
    void newOnesBehindAHeldOneOfTheirGroupGoBack() {
        receive(fifo, "g-1", "g-2");
        time.advance(LEASE);

        InFlightLedger.Received again = receive(fifo, "g-1", "g-2", "g-3", "h-1", "g-4");

        assertThat(bodies(again.toRun())).containsExactly("h-1");
        assertThat(bodies(again.toReturn())).containsExactly("g-3", "g-4");
        assertThat(again.leasesLost()).isEqualTo(2);
        assertThat(again.kept()).isEqualTo(3);
        assertThat(bodies(List.copyOf(fifo.tracked()))).containsExactlyInAnyOrder("g-1", "g-2", "h-1");
    }

    @ParameterizedTest(name = "a lease of {0} s, a wait of {1} s, a response after {2} ms")
    @CsvSource({"30, 20, 300, 30000", "10, 20, 19000, 28000", "30, 0, 8000, 30000", "30, 5, 8000, 35000"})
    void theLeaseBeginsWithinTheWaitHoweverLateTheResponseIs(int lease, int wait, int after, int until) {
        InFlightLedger leased = new InFlightLedger(false, Duration.ofSeconds(lease), limit, time, untracked -> {});
        long calledAt = time.nanos();
        time.advance(Duration.ofMillis(after));
        Delivery delivery = leased.receive(List.of(new Message("a", 1)), calledAt, Duration.ofSeconds(wait))
                .toRun()
                .getFirst();
        assertThat(delivery.leaseUntil() - calledAt)
                .isEqualTo(Duration.ofMillis(until).toNanos());
    }

    /** The answer may have been slow: an extension is due as if the lease had begun with the call. */
    @Test
    void aLeaseIsSureOnlyFromTheCallOn() {
        long calledAt = time.nanos();
        time.advance(Duration.ofSeconds(12));
        Delivery delivery = ledger.receive(List.of(new Message("a", 1)), calledAt, WAIT)
                .toRun()
                .getFirst();
        assertThat(delivery.leaseAtLeastUntil()).isEqualTo(calledAt + LEASE.toNanos());

        delivery.extended(time.nanos() + LEASE.toNanos());

        assertThat(delivery.leaseAtLeastUntil()).isEqualTo(delivery.leaseUntil());
        long again = time.nanos();
        time.advance(Duration.ofSeconds(10));
        InFlightLedger.Received ignored = ledger.receive(List.of(new Message("a", 2)), again, WAIT);
        assertThat(delivery.leaseAtLeastUntil()).isEqualTo(again + LEASE.toNanos());
    }

    @Test
    void ifOneMessageCannotBeReadNoneOfItsReceiveIsHeld() {
        List<ReceivedMessage> messages = new ArrayList<>(List.of(new Message("a", 1), new Message("b", 1)));
        messages.set(1, null);
        assertThatThrownBy(() -> ledger.receive(messages, time.nanos(), WAIT)).isInstanceOf(NullPointerException.class);
        assertThat(ledger.size()).isZero();
    }

    private InFlightLedger.Received receive(InFlightLedger by, String... bodies) {
        List<Message> messages = new ArrayList<>();
        for (String body : bodies) {
            messages.add(new Message(body, 1));
        }
        InFlightLedger.Received received = by.receive(List.copyOf(messages), time.nanos(), WAIT);
        int permits = limit.tryAcquire(received.kept());
        assertThat(permits).isEqualTo(received.kept());
        return received;
    }
}
