/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.settle;

import static io.github.batchsqs.testkit.Deliveries.bodies;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.BatchSqsException;
import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.batch.Batcher;
import io.github.batchsqs.receive.fetch.Delivery;
import io.github.batchsqs.receive.fetch.Settlement;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.LogCapture;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.StoredMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class SettlerTests {

    private static final Settlement DELETE = new Settlement.Delete();
    private static final Settlement LEAVE = new Settlement.Leave();
    private static final Settlement NOT_RUN = new Settlement.NotRun();
    private static final Settlement BY_HAND = new Settlement.ByHand();

    private final IllegalStateException cause = new IllegalStateException("no such customer");
    private final SettleBench standard = new SettleBench(false, true);
    private final SettleBench fifo = new SettleBench(true, true);

    @AfterEach
    void noCallBrokeARule() {
        standard.server.assertNoMisuse();
        standard.server.assertNothingLost();
        fifo.server.assertNoMisuse();
        fifo.server.assertNothingLost();
    }

    @Nested
    class Deletes {

        @Test
        void goOutInTens() throws Exception {
            List<Delivery> batch = standard.receive(numbered(25));
            settle(standard, batch, IntStream.range(0, 25).mapToObj(i -> DELETE).toArray(Settlement[]::new));
            standard.runCalls();
            assertThat(standard.server.calls(Operation.DELETE)).isEqualTo(2);
            assertThat(standard.limit.used()).isEqualTo(5);

            standard.flush();

            assertThat(standard.server.calls(Operation.DELETE)).isEqualTo(3);
            assertThat(standard.events.callSizes).containsExactly(10, 10, 5);
            assertThat(standard.events.acknowledged).isEqualTo(25);
            standard.server.assertDrained(standard.queue);
            assertThat(standard.limit.used()).isZero();
        }

        @Test
        void ofManyBatchesShareACall() throws Exception {
            for (Delivery delivery : standard.receive(numbered(10))) {
                settle(standard, List.of(delivery), DELETE);
            }
            standard.runCalls();
            assertThat(standard.server.calls(Operation.DELETE)).isEqualTo(1);
        }

        @Test
        void thatAreRefusedAreTriedAgainAlone() throws Exception {
            List<Delivery> batch = standard.receive("a", "b", "c");
            standard.reject(Operation.DELETE, Faults.Rejection.INTERNAL_ERROR, "b");
            settle(standard, batch, DELETE, DELETE, DELETE);
            standard.flush();
            assertThat(standard.inFlight()).containsExactly("b");
            assertThat(standard.limit.used()).isEqualTo(1);

            standard.server.faults(Faults.NONE);
            standard.pass(Duration.ofSeconds(1));

            standard.server.assertDrained(standard.queue);
            assertThat(standard.limit.used()).isZero();
            assertThat(standard.events.callSizes.getLast()).isEqualTo(1);
        }

        @Test
        void areTriedUntilTheLeaseEndsAndThenRememberedAndMadeWhenTheMessageComesAgain() throws Exception {
            List<Delivery> batch = standard.receive("a");
            standard.fail(Operation.DELETE);
            settle(standard, batch, DELETE);
            standard.pass(SettleBench.LEASE.plusSeconds(1));
            assertThat(standard.server.calls(Operation.DELETE)).isGreaterThan(5);
            assertThat(standard.events.acknowledgeFailures).isEqualTo(1);
            assertThat(standard.limit.used()).isZero();

            standard.server.faults(Faults.NONE);
            assertThat(standard.receive()).isEmpty();
            standard.flush();

            standard.server.assertDrained(standard.queue);
            assertThat(standard.limit.used()).isZero();
        }

        @Test
        void getFiveSecondsEvenIfTheLeaseHasEnded() throws Exception {
            List<Delivery> batch = standard.receive("a");
            standard.time.advance(SettleBench.LEASE);
            settle(standard, batch, DELETE);
            standard.flush();
            standard.server.assertDrained(standard.queue);
        }

        @Test
        void useTheNewestHandle() throws Exception {
            List<Delivery> batch = fifo.receive("a-1");
            fifo.time.advance(SettleBench.LEASE);
            settle(fifo, batch, DELETE);
            assertThat(fifo.receive()).isEmpty();
            fifo.flush();
            fifo.server.assertDrained(fifo.queue);
        }

        @Test
        void areMadeAgainIfTheMessageWasReceivedDuringTheCall() throws Exception {
            List<Delivery> batch = standard.receive("a");
            standard.receiveAgainDuring(Operation.DELETE);
            settle(standard, batch, DELETE);
            standard.flush();
            assertThat(standard.inFlight()).containsExactly("a");
            assertThat(standard.limit.used()).isEqualTo(1);

            standard.pass(Duration.ofSeconds(1));

            standard.server.assertDrained(standard.queue);
            assertThat(standard.limit.used()).isZero();
        }

        @Test
        void thatFifoRefusedBecauseTheMessageWasReceivedDuringTheCallAreMadeAgainToo() throws Exception {
            List<Delivery> batch = fifo.receive("a-1");
            fifo.receiveAgainDuring(Operation.DELETE);
            settle(fifo, batch, DELETE);
            fifo.pass(Duration.ofSeconds(1));
            fifo.server.assertDrained(fifo.queue);
            assertThat(fifo.events.acknowledgeFailures).isZero();
        }

        @Test
        void ofAMessageThatCameTwiceInOneAnswerAreOne() throws Exception {
            standard.server.faults(new Faults() {
                @Override
                public boolean deliverTwice(Call call, String messageId) {
                    return true;
                }
            });
            List<Delivery> batch = standard.receive("a", "b");
            assertThat(batch).hasSize(2);
            settle(standard, batch, DELETE, DELETE);
            standard.flush();
            standard.server.assertDrained(standard.queue);
            assertThat(standard.events.callSizes).containsExactly(2);
        }

        @Test
        void anAnswerAfterTheDeadlineFreesNoPermitTwice() throws Exception {
            List<Delivery> batch = standard.receive("a", "b");
            settle(standard, batch.subList(0, 1), DELETE);
            standard.time.advance(Duration.ofMillis(50));
            tick(standard);
            assertThat(standard.begunCalls()).isEqualTo(1);
            standard.time.advance(SettleBench.LEASE);
            tick(standard); // given up while the call hangs
            assertThat(standard.limit.used()).isEqualTo(1);

            standard.runCalls(); // answered after all

            assertThat(standard.limit.used()).isEqualTo(1);
            assertThat(standard.ledger.held()).containsExactly(batch.get(1));
        }

        @Test
        void thatAreNotAcceptedWhenTheBatcherClosesAreReported() throws Exception {
            settle(standard, standard.receive("a"), DELETE);
            standard.settler.batchers().forEach(Batcher::close);
            assertThat(standard.limit.used()).isZero();
            assertThat(standard.events.acknowledgeFailures).isEqualTo(1);
            assertThat(standard.inFlight()).containsExactly("a");
        }

        @Test
        void thatAreGivenUpTogetherAreOneLineOfTheLog() throws Exception {
            settle(standard, standard.receive("a", "b", "c"), DELETE, DELETE, DELETE);
            try (LogCapture log = LogCapture.warnings()) {
                standard.settler.batchers().forEach(Batcher::close);
                assertThat(log.events())
                        .filteredOn(line -> line.contains("handled but not deleted"))
                        .singleElement()
                        .asString()
                        .contains(": 3 messages (");
            }
            assertThat(standard.limit.used()).isZero();
            assertThat(standard.events.acknowledgeFailures).isEqualTo(3);
        }
    }

    @Nested
    class GivingBack {

        @Test
        void thatFailsForManyTogetherIsOneLineOfTheLogWithTheIdsOfTen() throws Exception {
            List<Delivery> batch = standard.receive(numbered(25));
            standard.settler.giveBack(batch);
            try (LogCapture log = LogCapture.warnings()) {
                standard.settler.batchers().forEach(Batcher::close);
                List<String> lines = log.events().stream()
                        .filter(line -> line.contains("could not be given back"))
                        .toList();
                assertThat(lines).singleElement().asString().contains(": 25 messages (", ", …)");
                assertThat(batch.stream()
                                .map(delivery -> delivery.message().id())
                                .filter(id -> lines.getFirst().contains(id)))
                        .hasSize(10);
            }
            assertThat(standard.limit.used()).isZero();
        }

        @Test
        void thatFailsForOneNamesIt() throws Exception {
            List<Delivery> batch = standard.receive("a");
            standard.settler.giveBack(batch);
            try (LogCapture log = LogCapture.warnings()) {
                standard.settler.batchers().forEach(Batcher::close);
                assertThat(log.events())
                        .filteredOn(line -> line.contains("could not be given back"))
                        .singleElement()
                        .asString()
                        .contains(": message " + batch.getFirst().message().id() + " of ");
            }
        }

        @Test
        void makesVisibleAfterTheDelay() throws Exception {
            settle(standard, standard.receive("a"), new Settlement.Release(Duration.ofSeconds(7)));
            standard.flush();
            assertThat(standard.visible()).isEmpty();
            assertThat(standard.limit.used()).isZero();
            assertThat(standard.events.released).isEqualTo(1);
            standard.time.advance(Duration.ofSeconds(7));
            assertThat(standard.visible()).containsExactly("a");
        }

        @Test
        void carriesAtMostTenInACall() throws Exception {
            standard.settler.giveBack(standard.receive(numbered(37)));
            standard.flush();
            standard.flush();
            assertThat(standard.visible()).hasSize(37);
            assertThat(standard.events.callSizes).containsExactly(10, 10, 10, 7);
        }

        @Test
        void thatIsRefusedIsTriedUntilTheLeaseEnds() throws Exception {
            List<Delivery> batch = standard.receive("a");
            standard.fail(Operation.CHANGE_VISIBILITY);
            standard.settler.giveBack(batch);
            standard.pass(Duration.ofSeconds(10));
            assertThat(standard.limit.used()).isEqualTo(1);
            standard.pass(SettleBench.LEASE);
            assertThat(standard.limit.used()).isZero();
            assertThat(standard.visible()).containsExactly("a");
        }

        @Test
        void whatComesAgainMeanwhileIsNew() throws Exception {
            List<Delivery> batch = standard.receive("a");
            AtomicBoolean once = new AtomicBoolean();
            standard.server.faults(new Faults() {
                @Override
                public void after(Call call) throws InterruptedException {
                    if (call.operation() == Operation.CHANGE_VISIBILITY && once.compareAndSet(false, true)) {
                        assertThat(bodies(standard.receive())).containsExactly("a");
                    }
                }
            });
            standard.settler.giveBack(batch);
            standard.flush();
            assertThat(standard.limit.used()).isEqualTo(1);
            assertThat(standard.ledger.size()).isEqualTo(1);
        }

        @Test
        void passesOverWhatIsSettled() throws Exception {
            List<Delivery> batch = standard.receive("a", "b");
            settle(standard, batch.subList(0, 1), DELETE);
            standard.settler.giveBack(batch);
            standard.flush();
            assertThat(standard.visible()).containsExactly("b");
            assertThat(standard.limit.used()).isZero();
        }

        @Test
        void leavingFreesThePermitAtOnceAndCallsNobody() throws Exception {
            settle(standard, standard.receive("a"), LEAVE);
            assertThat(standard.limit.used()).isZero();
            assertThat(standard.inFlight()).containsExactly("a");
            assertThat(standard.server.calls(Operation.CHANGE_VISIBILITY)).isZero();
        }
    }

    @Nested
    class Groups {

        @Test
        void nothingBehindAFailureIsDeletedAndTheTailGoesBackTogetherWithWhatWaits() throws Exception {
            List<Delivery> all = fifo.receive("a-1", "a-2", "a-3", "a-4", "b-1");
            fifo.waiting.put("a", List.of(all.get(3)));

            settle(
                    fifo,
                    List.of(all.get(0), all.get(1), all.get(2), all.get(4)),
                    DELETE,
                    new Settlement.Release(Duration.ZERO),
                    DELETE,
                    DELETE);
            fifo.flush();

            assertThat(fifo.visible()).containsExactly("a-2", "a-3", "a-4");
            assertThat(fifo.inFlight()).isEmpty();
            assertThat(fifo.server.deleted(fifo.queue)).hasSize(2);
            assertThat(fifo.limit.used()).isZero();
        }

        @Test
        void theTailGoesBackLastFirst() throws Exception {
            List<Delivery> all = fifo.receive("a-1", "a-2", "a-3");
            Map<String, String> bodies = new HashMap<>();
            all.forEach(each -> bodies.put(each.message().id(), each.message().body()));
            List<String> order = new ArrayList<>();
            fifo.server.faults(new Faults() {
                @Override
                public @Nullable Rejection reject(Call call, int index, String subject) {
                    order.add(String.valueOf(bodies.get(subject)));
                    return null;
                }
            });
            settle(fifo, all, new Settlement.Release(Duration.ZERO), DELETE, DELETE);
            fifo.flush();
            assertThat(order).containsExactly("a-3", "a-2", "a-1");
        }

        @Test
        void leavingOneLeavesTheTail() throws Exception {
            List<Delivery> all = fifo.receive("a-1", "a-2", "a-3");
            fifo.waiting.put("a", List.of(all.get(2)));
            settle(fifo, all.subList(0, 2), LEAVE, DELETE);
            fifo.flush();
            assertThat(fifo.inFlight()).containsExactly("a-1", "a-2", "a-3");
            assertThat(fifo.limit.used()).isZero();
        }

        @Test
        void whatDidNotRunIsTakenBackInOrder() throws Exception {
            List<Delivery> all = fifo.receive("a-1", "a-2", "a-3", "b-1");
            List<Delivery> notRun = fifo.settler.settle(
                    all, List.of(new Settlement.DeadLetter(cause, Duration.ZERO), NOT_RUN, NOT_RUN, DELETE));
            assertThat(bodies(notRun)).containsExactly("a-2", "a-3");
            assertThat(notRun).allMatch(Delivery::unsettled);
            fifo.flush();
            assertThat(fifo.inFlight()).containsExactly("a-2", "a-3");
        }

        @Test
        void aDeadLetterBehindOneThatDidNotRunWaitsForIt() throws Exception {
            List<Delivery> all = fifo.receive("a-1", "a-2", "a-3");
            Settlement dead = new Settlement.DeadLetter(cause, Duration.ZERO);
            assertThat(bodies(fifo.settler.settle(all, List.of(dead, NOT_RUN, dead))))
                    .containsExactly("a-2", "a-3");
            fifo.flush();
            assertThat(fifo.deadLetters()).extracting(StoredMessage::body).containsExactly("a-1");
        }

        @Test
        void whatDidNotRunGoesBackIfOneAheadIsInTheHandlersHand() throws Exception {
            List<Delivery> all = fifo.receive("a-1", "a-2", "a-3");
            Settlement dead = new Settlement.DeadLetter(cause, Duration.ZERO);
            assertThat(fifo.settler.settle(all, List.of(BY_HAND, dead, NOT_RUN)))
                    .isEmpty();
            fifo.flush();
            assertThat(fifo.visible()).containsExactly("a-3");
            assertThat(fifo.inFlight()).containsExactly("a-1");
        }
    }

    @Nested
    class DeadLetters {

        @Test
        void areDeletedOnlyAfterTheDeadLetterQueueAcceptedThem() throws Exception {
            List<Delivery> batch = standard.receive("a");
            standard.fail(Operation.SEND);
            settle(standard, batch, new Settlement.DeadLetter(cause, Duration.ZERO));
            standard.pass(Duration.ofSeconds(5));
            assertThat(standard.server.calls(Operation.DELETE)).isZero();
            assertThat(standard.server.calls(Operation.SEND)).isGreaterThan(1);

            standard.server.faults(Faults.NONE);
            standard.pass(Duration.ofSeconds(6));

            assertThat(standard.deadLetters()).extracting(StoredMessage::body).containsExactly("a");
            standard.server.assertDrained(standard.queue);
            assertThat(standard.events.deadLettered).isEqualTo(1);
        }

        @Test
        void thatAreRefusedAreGivenBack() throws Exception {
            List<Delivery> batch = standard.receive("a");
            standard.reject(Operation.SEND, Faults.Rejection.INVALID, "a");
            settle(standard, batch, new Settlement.DeadLetter(cause, Duration.ofSeconds(3)));
            standard.pass(Duration.ofSeconds(4));
            assertThat(standard.visible()).containsExactly("a");
            assertThat(standard.deadLetters()).isEmpty();
            assertThat(standard.limit.used()).isZero();
        }

        @Test
        void withoutADeadLetterQueueAreGivenBack() throws Exception {
            SettleBench without = new SettleBench(false, false);
            settle(without, without.receive("a"), new Settlement.DeadLetter(cause, Duration.ofSeconds(3)));
            without.pass(Duration.ofSeconds(4));
            assertThat(without.visible()).containsExactly("a");
        }

        @Test
        void onFifoAreAcceptedBeforeAnythingBehindThemIsDeleted() throws Exception {
            List<Delivery> all = fifo.receive("a-1", "a-2");
            fifo.reject(Operation.SEND, Faults.Rejection.INVALID, "a-1");
            settle(fifo, all, new Settlement.DeadLetter(cause, Duration.ZERO), DELETE);
            fifo.flush();
            assertThat(fifo.visible()).containsExactly("a-1", "a-2");
            assertThat(fifo.server.deleted(fifo.queue)).isEmpty();

            fifo.server.faults(Faults.NONE);
            settle(fifo, fifo.receive(), new Settlement.DeadLetter(cause, Duration.ZERO), DELETE);
            fifo.flush();

            fifo.server.assertDrained(fifo.queue);
            StoredMessage dead = fifo.deadLetters().getFirst();
            assertThat(dead.body()).isEqualTo("a-1");
            assertThat(dead.groupId()).isEqualTo("a");
        }

        @Test
        void onFifoWithoutADeadLetterQueueStopTheirGroup() throws Exception {
            SettleBench without = new SettleBench(true, false);
            settle(without, without.receive("a-1", "a-2"), new Settlement.DeadLetter(cause, Duration.ZERO), DELETE);
            without.flush();
            assertThat(without.visible()).containsExactly("a-1", "a-2");
        }

        @Test
        void keepTheirAttributesAndTellWhatFailed() throws Exception {
            standard.put(Map.of("tenant", MessageAttribute.string("blue")), "a");
            settle(standard, standard.receive(), new Settlement.DeadLetter(cause, Duration.ZERO));
            standard.flush();
            Map<String, MessageAttribute> attributes =
                    standard.deadLetters().getFirst().attributes();
            assertThat(attributes)
                    .containsOnly(
                            Map.entry("tenant", MessageAttribute.string("blue")),
                            Map.entry("BatchSqsErrorClass", MessageAttribute.string("java.lang.IllegalStateException")),
                            Map.entry("BatchSqsErrorMessage", MessageAttribute.string("no such customer")),
                            Map.entry("BatchSqsSourceQueue", MessageAttribute.string("orders")),
                            Map.entry("BatchSqsReceiveCount", MessageAttribute.string("1")));
        }

        @Test
        void haveAtMostTenAttributesTheirOwnFirst() throws Exception {
            Map<String, MessageAttribute> own = new LinkedHashMap<>();
            for (int i = 0; i < 9; i++) {
                own.put("own" + i, MessageAttribute.string("x"));
            }
            standard.put(own, "a");
            settle(standard, standard.receive(), new Settlement.DeadLetter(cause, Duration.ZERO));
            standard.flush();
            assertThat(standard.deadLetters().getFirst().attributes())
                    .hasSize(10)
                    .containsAllEntriesOf(own)
                    .containsKey("BatchSqsErrorClass");
        }

        @Test
        void tellOnlyWhatSqsAcceptsOfTheError() throws Exception {
            RuntimeException odd = new IllegalStateException("a\u0000b\uD800c" + "x".repeat(2_000));
            settle(standard, standard.receive("a"), new Settlement.DeadLetter(odd, Duration.ZERO));
            standard.flush();
            String told = Objects.requireNonNull(
                            standard.deadLetters().getFirst().attributes().get("BatchSqsErrorMessage"))
                    .stringValue();
            assertThat(told).startsWith("a\uFFFDb\uFFFDcx").hasSize(1_000);
        }

        @Test
        void withoutACauseAndWithoutAMessageTellTheRest() throws Exception {
            settle(
                    standard,
                    standard.receive("a", "b"),
                    new Settlement.DeadLetter(null, Duration.ZERO),
                    new Settlement.DeadLetter(new IllegalStateException(""), Duration.ZERO));
            standard.flush();
            assertThat(standard.deadLetters().get(0).attributes())
                    .containsOnlyKeys("BatchSqsSourceQueue", "BatchSqsReceiveCount");
            assertThat(standard.deadLetters().get(1).attributes())
                    .containsOnlyKeys("BatchSqsErrorClass", "BatchSqsSourceQueue", "BatchSqsReceiveCount");
        }
    }

    @Nested
    class ByHand {

        @Test
        void theirPromiseCompletesWhenSqsAcceptedTheLastDelete() throws Exception {
            List<Delivery> batch = standard.receive("a", "b");
            CompletableFuture<Void> promise = standard.settler.deleteByHand(batch);
            assertThat(promise).isNotDone();
            standard.flush();
            assertThat(promise).isCompleted();
            standard.server.assertDrained(standard.queue);
        }

        @Test
        void aSecondCallReturnsTheFirstOnesPromise() throws Exception {
            List<Delivery> batch = standard.receive("a");
            CompletableFuture<Void> first = standard.settler.deleteByHand(batch);
            CompletableFuture<Void> second = standard.settler.releaseByHand(batch, Duration.ZERO);
            assertThat(second).isNotDone();
            standard.flush();
            assertThat(first).isCompleted();
            assertThat(second).isCompleted();
            standard.server.assertDrained(standard.queue);
        }

        @Test
        void whatIsNoLongerHeldFails() throws Exception {
            List<Delivery> batch = standard.receive("a");
            standard.settler.giveBack(batch);
            assertThat(standard.settler.deleteByHand(batch))
                    .isCompletedExceptionally()
                    .failsWithin(Duration.ZERO)
                    .withThrowableThat()
                    .withCauseInstanceOf(BatchSqsException.class)
                    .withMessageContaining("no longer held here");
        }

        @Test
        void duringAHeartbeatTheyWaitForIt() throws Exception {
            List<Delivery> batch = standard.receive("a");
            assertThat(batch.getFirst().tryExtend()).isTrue();
            CompletableFuture<Void> promise = standard.settler.deleteByHand(batch);
            standard.flush();
            assertThat(standard.inFlight()).containsExactly("a");
            batch.getFirst().endHeartbeat();
            standard.flush();
            assertThat(promise).isCompleted();
            standard.server.assertDrained(standard.queue);
        }

        @Test
        void givingBackOneOfAGroupGivesBackWhatWaitsBehindIt() throws Exception {
            List<Delivery> all = fifo.receive("a-1", "a-2", "a-3");
            fifo.waiting.put("a", all.subList(1, 3));
            CompletableFuture<Void> promise = fifo.settler.releaseByHand(all.subList(0, 1), Duration.ZERO);
            fifo.flush();
            fifo.pass(Duration.ofSeconds(1));
            assertThat(promise).isCompleted();
            assertThat(fifo.visible()).containsExactly("a-1", "a-2", "a-3");
        }

        @Test
        void aFailedDeleteFailsThePromise() throws Exception {
            List<Delivery> batch = standard.receive("a");
            standard.reject(Operation.DELETE, Faults.Rejection.INVALID, "a");
            CompletableFuture<Void> promise = standard.settler.deleteByHand(batch);
            standard.flush();
            assertThat(promise).isCompletedExceptionally();
        }
    }

    private static void tick(SettleBench bench) {
        bench.settler.batchers().forEach(batcher -> batcher.tick());
    }

    private static void settle(SettleBench bench, List<Delivery> batch, Settlement... settlements) {
        assertThat(bench.settler.settle(batch, List.of(settlements))).isEmpty();
    }

    private static String[] numbered(int count) {
        return IntStream.range(0, count).mapToObj(i -> "m" + i).toArray(String[]::new);
    }
}
