/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.settle;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.receive.fetch.Delivery;
import io.github.batchsqs.receive.fetch.Settlement;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.Operation;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class VisibilityExtenderTests {

    private static final Duration HALF = SettleBench.LEASE.dividedBy(2);

    private final SettleBench standard = new SettleBench(false, false);
    private final SettleBench fifo = new SettleBench(true, false);

    @AfterEach
    void noCallBrokeARule() {
        standard.server.assertNoMisuse();
        fifo.server.assertNoMisuse();
    }

    @Test
    void looksTenTimesInALeaseAndAtLeastEveryFiveSeconds() {
        assertThat(standard.extender.interval()).isEqualTo(Duration.ofSeconds(3));
        SettleSettings hour = new SettleSettings(
                "listener", standard.queue, Duration.ofHours(1), true, Duration.ofHours(12), Duration.ZERO, 1);
        Calls unused = new Calls(
                standard.server, Runnable::run, promise -> {}, standard.events, standard.time, new SplittableRandom(1));
        assertThat(new VisibilityExtender(hour, standard.ledger, standard.settler, unused).interval())
                .isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void extendsByAFullTimeoutAtHalfTheTimeout() throws Exception {
        Delivery delivery = standard.receive("a").getFirst();
        standard.time.advance(HALF.minusMillis(1));
        beat(standard);
        assertThat(standard.server.calls(Operation.CHANGE_VISIBILITY)).isZero();

        standard.time.advance(Duration.ofMillis(1));
        beat(standard);

        assertThat(standard.server.calls(Operation.CHANGE_VISIBILITY)).isEqualTo(1);
        assertThat(standard.events.extended).isEqualTo(1);
        assertThat(delivery.leaseUntil() - standard.time.nanos()).isEqualTo(SettleBench.LEASE.toNanos());
        standard.time.advance(Duration.ofSeconds(29));
        assertThat(standard.inFlight()).containsExactly("a");
    }

    @Test
    void aHandlerOfManyTimeoutsKeepsItsMessage() throws Exception {
        Delivery delivery = standard.receive("a").getFirst();
        for (int i = 0; i < 100; i++) {
            standard.time.advance(standard.extender.interval());
            beat(standard);
        }
        assertThat(delivery.everLost()).isFalse();
        assertThat(standard.inFlight()).containsExactly("a");
        assertThat(standard.server.calls(Operation.CHANGE_VISIBILITY)).isBetween(17L, 21L);
    }

    @Test
    void carriesTenInACall() throws Exception {
        standard.receive(IntStream.range(0, 25).mapToObj(i -> "m" + i).toArray(String[]::new));
        standard.time.advance(HALF);
        beat(standard);
        standard.flush();
        assertThat(standard.events.callSizes).containsExactly(10, 10, 5);
    }

    @Test
    void extendsAGroupTogether() throws Exception {
        fifo.receive("a-1");
        fifo.time.advance(Duration.ofSeconds(5));
        List<Delivery> later = fifo.receive("b-1");
        fifo.time.advance(Duration.ofSeconds(10));
        beat(fifo);
        assertThat(fifo.events.extended).isEqualTo(1);
        assertThat(later.getFirst().leaseUntil() - fifo.time.nanos())
                .isLessThan(Duration.ofSeconds(21).toNanos());

        fifo.time.advance(Duration.ofSeconds(5));
        beat(fifo);
        assertThat(fifo.events.extended).isEqualTo(2);
    }

    @Test
    void aMessageOfAGroupThatIsNotYetDueIsExtendedWithTheOthers() throws Exception {
        List<Delivery> group = fifo.receive("a-1", "a-2");
        fifo.time.advance(Duration.ofSeconds(10));
        group.get(0).tryExtend();
        group.get(0).endHeartbeat();
        group.get(1).extended(fifo.time.nanos() + SettleBench.LEASE.toNanos());
        fifo.time.advance(Duration.ofSeconds(5));
        beat(fifo);
        assertThat(fifo.events.extended).isEqualTo(2);
        assertThat(fifo.events.callSizes).containsExactly(2);
    }

    @Test
    void stopsAtTheLongestExtension() throws Exception {
        SettleBench shortly = new SettleBench(false, false, true, Duration.ofSeconds(60));
        Delivery delivery = shortly.receive("a").getFirst();
        for (int i = 0; i < 19; i++) {
            shortly.time.advance(Duration.ofSeconds(3));
            beat(shortly);
        }
        assertThat(shortly.events.extended).isEqualTo(2);
        shortly.time.advance(Duration.ofSeconds(4));
        assertThat(delivery.leaseLost(shortly.time.nanos())).isTrue();
        assertThat(shortly.visible()).containsExactly("a");
    }

    @Test
    void switchedOffItExtendsNothingButStillSeesLostLeases() throws Exception {
        SettleBench off = new SettleBench(false, false, false, Duration.ofHours(1));
        off.receive("a");
        off.time.advance(HALF);
        beat(off);
        assertThat(off.server.calls(Operation.CHANGE_VISIBILITY)).isZero();
        off.time.advance(HALF);
        beat(off);
        assertThat(off.events.leasesLost).isEqualTo(1);
    }

    @Test
    void aLeaseThatRanOutIsCountedOnceAndItsMessageStaysHeldForItsHandler() throws Exception {
        Delivery delivery = standard.receive("a").getFirst();
        standard.time.advance(SettleBench.LEASE);
        beat(standard);
        beat(standard);
        assertThat(standard.events.leasesLost).isEqualTo(1);
        assertThat(delivery.everLost()).isTrue();
        assertThat(standard.ledger.held()).containsExactly(delivery);
    }

    @Test
    void aLeaseThatSqsRefusesToExtendIsLostAtOnceAndCountedOnce() throws Exception {
        Delivery delivery = standard.receive("a").getFirst();
        standard.reject(Operation.CHANGE_VISIBILITY, Faults.Rejection.INVALID, "a");
        standard.time.advance(HALF);
        beat(standard);
        assertThat(delivery.leaseLost(standard.time.nanos())).isTrue();
        beat(standard);
        standard.time.advance(SettleBench.LEASE);
        beat(standard);
        assertThat(standard.events.leasesLost).isEqualTo(1);
        assertThat(standard.server.calls(Operation.CHANGE_VISIBILITY)).isEqualTo(1);
    }

    @Test
    void aCallThatFailsIsMadeAgainAndTheLeaseIsNotLost() throws Exception {
        Delivery delivery = standard.receive("a").getFirst();
        standard.fail(Operation.CHANGE_VISIBILITY);
        standard.time.advance(HALF);
        beat(standard);
        standard.server.faults(Faults.NONE);
        standard.pass(Duration.ofSeconds(2));
        assertThat(delivery.everLost()).isFalse();
        assertThat(standard.events.extended).isEqualTo(1);
    }

    @Test
    void aRefusalOfAnOldHandleIsNotALostLease() throws Exception {
        Delivery delivery = fifo.receive("a-1").getFirst();
        fifo.receiveAgainDuring(Operation.CHANGE_VISIBILITY);
        fifo.time.advance(HALF);
        beat(fifo);
        fifo.pass(Duration.ofSeconds(1));
        assertThat(delivery.leaseLost(fifo.time.nanos())).isFalse();
        assertThat(fifo.events.extended).isEqualTo(1);
    }

    @Test
    void aDeleteDuringAHeartbeatWaitsForItsAnswer() throws Exception {
        List<Delivery> batch = standard.receive("a");
        standard.time.advance(HALF);
        standard.extender.tick();
        standard.time.advance(Duration.ofMillis(50));
        standard.settler.batchers().forEach(batcher -> batcher.tick());
        assertThat(standard.begunCalls()).isEqualTo(1);

        assertThat(standard.settler.settle(batch, List.of(new Settlement.Delete())))
                .isEmpty();
        standard.time.advance(Duration.ofMillis(50));
        standard.settler.batchers().forEach(batcher -> batcher.tick());
        assertThat(standard.begunCalls()).isEqualTo(1);

        standard.flush();
        standard.flush();
        standard.server.assertDrained(standard.queue);
        assertThat(standard.limit.used()).isZero();
    }

    @Test
    void aHeartbeatThatIsAnsweredAfterItWasGivenUpLeavesTheMessageSettleable() throws Exception {
        List<Delivery> batch = standard.receive("a");
        standard.time.advance(HALF);
        standard.extender.tick();
        standard.time.advance(Duration.ofMillis(50));
        standard.settler.batchers().forEach(batcher -> batcher.tick());
        standard.time.advance(Duration.ofSeconds(6));
        standard.settler.batchers().forEach(batcher -> batcher.tick()); // given up
        standard.runCalls(); // answered

        assertThat(batch.getFirst().unsettled()).isTrue();
        assertThat(standard.settler.settle(batch, List.of(new Settlement.Delete())))
                .isEmpty();
        standard.flush();
        standard.server.assertDrained(standard.queue);
        assertThat(standard.limit.used()).isZero();
    }

    @Test
    void whatWasSettledIsNotExtended() throws Exception {
        List<Delivery> batch = standard.receive("a");
        standard.settler.settle(batch, List.of(new Settlement.Delete()));
        standard.time.advance(HALF);
        standard.extender.tick();
        standard.flush();
        assertThat(standard.server.calls(Operation.CHANGE_VISIBILITY)).isZero();
    }

    @Test
    void whatTheHandlerNeverSettlesByHandIsLetGoWhenItsLeaseEnds() throws Exception {
        SettleBench shortly = new SettleBench(true, false, true, Duration.ZERO);
        List<Delivery> all = shortly.receive("a-1", "a-2");
        shortly.waiting.put("a", all.subList(1, 2));
        shortly.settler.settle(all.subList(0, 1), List.of(new Settlement.ByHand()));
        shortly.time.advance(SettleBench.LEASE);
        beat(shortly);
        assertThat(shortly.limit.used()).isZero();
        assertThat(shortly.visible()).containsExactly("a-1", "a-2");
    }

    @Test
    void soItIsWhenASecondReceiveCameBeforeThatWasSeen() throws Exception {
        SettleBench shortly = new SettleBench(false, false, true, Duration.ZERO);
        List<Delivery> all = shortly.receive("a");
        shortly.settler.settle(all, List.of(new Settlement.ByHand()));
        shortly.time.advance(SettleBench.LEASE);
        assertThat(shortly.receive()).isEmpty();
        beat(shortly);
        assertThat(shortly.limit.used()).isZero();
        assertThat(shortly.visible()).containsExactly("a");
    }

    private static void beat(SettleBench bench) {
        bench.extender.tick();
        bench.settler.batchers().forEach(batcher -> {
            var ignored = batcher.flush();
        });
        bench.runCalls();
    }
}
