/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.settle;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.Sources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class VisibilityExtenderTests extends SettlerFixture {

    private static final Duration HALF = SettleBench.LEASE.dividedBy(2);

    @Test
    void looksTenTimesInALeaseAndAtLeastEveryFiveSeconds() {
        assertThat(standard.extender.interval()).isEqualTo(Duration.ofSeconds(3));
        ListenerQueue hour =
                Sources.of(ListenerOptions.builder("listener", "orders").build(), Duration.ofHours(1), standard.time);
        Settler settler = new Settler(hour, Runnable::run, Runnable::run, standard.ledger, null, null, standard);
        assertThat(settler.extender().interval()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void aMessageOfAGroupThatIsNotYetDueIsExtendedWithTheOthersAndNoOtherGroup() throws Exception {
        List<Delivery> group = fifo.receive("a-1", "a-2");
        fifo.time.advance(Duration.ofSeconds(10));
        group.get(1).extended(fifo.time.nanos() + SettleBench.LEASE.toNanos());
        fifo.receive("b-1");
        fifo.time.advance(Duration.ofSeconds(5));
        beat(fifo);
        assertThat(fifo.events.extended).isEqualTo(2);
        assertThat(fifo.events.callSizes).containsExactly(2);
    }

    @Test
    void aLeaseIsExtendedFromTheBeginningOfItsCallOn() throws Exception {
        Delivery delivery = standard.receive("a").getFirst();
        standard.duringFirst(Operation.CHANGE_VISIBILITY, call -> standard.time.advance(Duration.ofSeconds(3)));
        standard.time.advance(HALF);
        beat(standard);
        assertThat(delivery.leaseUntil() - standard.time.nanos())
                .isEqualTo(SettleBench.LEASE.minusSeconds(3).toNanos());
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
    void aDeleteDoesNotWaitForAHeartbeatAndAHeartbeatThatComesTooLateIsNoLostLease() throws Exception {
        for (SettleBench bench : List.of(standard, fifo)) {
            List<Delivery> batch = bench.receive("a-1");
            beginHeartbeat(bench);
            bench.settle(batch, List.of(DELETE));
            CompletableFuture<Void> flushed = bench.beginFlush();
            assertThat(bench.begunCalls()).isEqualTo(2);

            try (LogCapture log = LogCapture.warnings()) {
                bench.answerLast(); // the delete
                bench.server.assertDrained(bench.queue);
                bench.answerFirst(); // the heartbeat, which SQS refuses
                assertThat(log.events()).isEmpty();
            }

            assertThat(flushed).isCompleted();
            assertThat(bench.events.leasesLost).isZero();
            assertThat(batch.getFirst().everLost()).isFalse();
            assertThat(bench.limit.used()).isZero();
        }
    }

    @Test
    void aReleaseFollowsTheHeartbeatThatIsUnderWayAndAFlushWaitsForIt() throws Exception {
        for (SettleBench bench : List.of(standard, fifo)) {
            List<Delivery> batch = bench.receive("a-1");
            beginHeartbeat(bench);
            bench.settler.returnToQueue(batch);
            CompletableFuture<Void> flushed = bench.beginFlush();
            assertThat(bench.begunCalls()).isEqualTo(1);

            bench.answerFirst(); // the heartbeat
            assertThat(bench.inFlight()).containsExactly("a-1");
            assertThat(flushed).isNotDone();

            bench.answerFirst(); // the release
            assertThat(flushed).isCompleted();
            assertThat(bench.visible()).containsExactly("a-1");
            assertThat(bench.limit.used()).isZero();
        }
    }

    @Test
    void aReleaseTakesThePlaceOfAHeartbeatThatStillWaits() throws Exception {
        for (SettleBench bench : List.of(standard, fifo)) {
            List<Delivery> batch = bench.receive("a-1");
            bench.time.advance(HALF);
            bench.extender.tick();
            bench.settler.returnToQueue(batch);
            bench.flush();
            assertThat(bench.events.callSizes).containsExactly(1);
            assertThat(bench.visible()).containsExactly("a-1");
            assertThat(bench.events.extended).isZero();
            assertThat(bench.limit.used()).isZero();
        }
    }

    @Test
    void aHeartbeatDoesNotWaitForOneThatHangs() throws Exception {
        for (SettleBench bench : List.of(standard, fifo)) {
            Delivery delivery = bench.receive("a-1").getFirst();
            beginHeartbeat(bench);
            bench.time.advance(
                    Duration.ofSeconds(6)); // nothing ends the call, as that of a client that ignores interrupts
            tick(bench);
            bench.extender.tick();
            bench.time.advance(Duration.ofMillis(50));
            tick(bench);

            bench.answerLast();

            assertThat(delivery.leaseUntil() - bench.time.nanos()).isEqualTo(SettleBench.LEASE.toNanos());
            bench.runCalls();
        }
    }

    @Test
    void theLeaseThatEndsFirstIsExtendedFirst() throws Exception {
        List<Delivery> all = standard.receive(numbered(20));
        List<Delivery> soonest = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            if (i % 2 == 0) {
                soonest.add(all.get(i));
            } else {
                all.get(i)
                        .extended(standard.time.nanos()
                                + SettleBench.LEASE.plusSeconds(5).toNanos());
            }
        }
        standard.time.advance(HALF.plusSeconds(6));
        standard.extender.tick();
        standard.answerFirst();
        assertThat(soonest)
                .allMatch(delivery -> delivery.leaseUntil() - standard.time.nanos() == SettleBench.LEASE.toNanos());
        standard.runCalls();
    }

    @Test
    void leasesThatAreLostAreAtMostOneLineOfTheLogAMinute() throws Exception {
        String[] bodies = numbered(25);
        standard.receive(bodies);
        standard.reject(Operation.CHANGE_VISIBILITY, Faults.Rejection.INVALID, bodies);
        standard.time.advance(HALF);
        try (LogCapture log = LogCapture.warnings()) {
            beat(standard);
            assertThat(log.event())
                    .contains("Listener listener: lost the lease of 10 messages (")
                    .contains(") of orders (")
                    .contains("raise visibility.timeout");
        }
        assertThat(standard.events.callSizes).hasSize(3);
        assertThat(standard.events.leasesLost).isEqualTo(25);
    }

    @Test
    void leasesThatRunOutTogetherAreOneLineOfTheLog() throws Exception {
        String[] bodies = numbered(25);
        List<Delivery> all = standard.receive(bodies);
        standard.time.advance(SettleBench.LEASE);
        try (LogCapture log = LogCapture.warnings()) {
            beat(standard);
            beat(standard);
            assertThat(log.event())
                    .contains("Listener listener: the lease of 25 messages (")
                    .contains(" of orders ran out")
                    .contains("raise visibility.timeout or visibility.max-extension");
        }
        assertThat(standard.events.leasesLost).isEqualTo(25);
        assertThat(standard.ledger.tracked()).as("held for their handlers").containsExactlyInAnyOrderElementsOf(all);
    }

    @Test
    void aMissingPermissionIsLoggedAtItsFirstRefusalAndIsNoLostLease() throws Exception {
        Delivery delivery = standard.receive("a").getFirst();
        standard.reject(Operation.CHANGE_VISIBILITY, new Faults.Rejection("AccessDenied", false), "a");
        standard.time.advance(HALF);
        try (LogCapture log = LogCapture.warnings()) {
            beat(standard);
            assertThat(log.event())
                    .contains("changing the visibility of messages of orders fails (AccessDenied)")
                    .contains("Allow the credentials the action sqs:ChangeMessageVisibility on the queue");
        }
        assertThat(delivery.everLost()).isFalse();
        standard.time.advance(Duration.ofSeconds(3));
        beat(standard);
        assertThat(standard.failingFor(Operation.CHANGE_VISIBILITY)).isEqualTo(Duration.ofSeconds(3));

        standard.server.faults(Faults.NONE);
        beat(standard);
        assertThat(standard.events.extended).isEqualTo(1);
        assertThat(standard.failingFor(Operation.CHANGE_VISIBILITY)).isZero();
    }

    @Test
    void anExtensionIsTriedAgainAheadOfOneThatIsNotNeededAnyMore() throws Exception {
        List<Delivery> group = fifo.receive("a-1", "a-2");
        fifo.time.advance(HALF);
        fifo.extender.tick();
        CompletableFuture<Void> ignored = fifo.settler.delete(group.subList(1, 2));
        fifo.reject(Operation.CHANGE_VISIBILITY, Faults.Rejection.INTERNAL_ERROR, "a-1");
        fifo.flush();
        assertThat(fifo.events.extended).isZero();

        fifo.server.faults(Faults.NONE);
        fifo.pass(Duration.ofSeconds(1));

        assertThat(fifo.events.extended).isEqualTo(1);
    }

    @Test
    void whatTheHandlerNeverSettlesReturnsWhenASecondReceiveCame() throws Exception {
        SettleBench shortly = new SettleBench(false, false, true, Duration.ZERO);
        List<Delivery> all = shortly.receive("a");
        shortly.settle(all, List.of(MANUAL));
        shortly.time.advance(SettleBench.LEASE);
        assertThat(shortly.receive()).isEmpty();
        beat(shortly);
        assertThat(shortly.limit.used()).isZero();
        assertThat(shortly.visible()).containsExactly("a");
    }

    @Test
    void aLeaseThatWasLostBeforeTheHandlerRanReturnsNothingThatItSettlesLater() throws Exception {
        SettleBench shortly = new SettleBench(false, false, true, Duration.ZERO);
        List<Delivery> all = shortly.receive("a");
        shortly.time.advance(SettleBench.LEASE);
        assertThat(shortly.receive()).isEmpty();
        shortly.settle(all, List.of(MANUAL));
        beat(shortly);
        assertThat(shortly.visible()).isEmpty();

        CompletableFuture<Void> deleted = shortly.settler.delete(all);
        shortly.flush();

        assertThat(deleted).isCompleted();
        shortly.server.assertDrained(shortly.queue);
    }

    /** The release made the message visible, and its response does not come. */
    @Test
    void aMessageThatIsReceivedAgainDoesNotWaitForItsRelease() throws Exception {
        List<Integer> begun = new ArrayList<>();
        standard.server.faults(Faults.after(Operation.CHANGE_VISIBILITY, call -> {
            if (begun.isEmpty()) {
                assertThat(standard.receive()).hasSize(1);
                standard.time.advance(HALF);
                standard.extender.tick();
                standard.time.advance(Duration.ofMillis(50));
                tick(standard);
                begun.add(standard.begunCalls());
            }
        }));
        standard.settler.returnToQueue(standard.receive("a"));
        standard.flush();
        assertThat(begun).as("its heartbeat").containsExactly(1);
    }

    /** The messages are due, and the call that extends their leases has begun. */
    private static void beginHeartbeat(SettleBench bench) {
        bench.time.advance(HALF);
        bench.extender.tick();
        bench.time.advance(Duration.ofMillis(50));
        tick(bench);
        assertThat(bench.begunCalls()).isEqualTo(1);
    }

    private static void tick(SettleBench bench) {
        bench.settler.batchers().forEach(batcher -> batcher.tick());
    }
}
