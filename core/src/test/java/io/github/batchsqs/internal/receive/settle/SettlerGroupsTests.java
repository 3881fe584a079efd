/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.settle;

import static io.github.batchsqs.testkit.Deliveries.bodies;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.Settlement;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.StoredMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Message groups: what happens behind a failure, and retries in the process. */
class SettlerGroupsTests extends SettlerFixture {

    @Test
    void theTailReturnsToTheQueueLastFirst() throws Exception {
        List<Delivery> all = fifo.receive("a-1", "a-2", "a-3");
        Map<String, String> bodies = new HashMap<>();
        all.forEach(each -> bodies.put(each.message().id(), each.message().body()));
        List<String> order = new ArrayList<>();
        fifo.server.faults(Faults.refusing((call, subject) -> {
            order.add(String.valueOf(bodies.get(subject)));
            return null;
        }));
        settle(fifo, all, new Settlement.Release(Duration.ZERO), DELETE, DELETE);
        fifo.flush();
        assertThat(order).containsExactly("a-3", "a-2", "a-1");
    }

    @Test
    void untrackingAMessageUntracksTheTail() throws Exception {
        List<Delivery> all = fifo.receive("a-1", "a-2", "a-3");
        fifo.waiting.put("a", List.of(all.get(2)));
        settle(fifo, all.subList(0, 2), LEAVE, DELETE);
        fifo.flush();
        assertThat(fifo.inFlight()).containsExactly("a-1", "a-2", "a-3");
        assertThat(fifo.limit.used()).isZero();
    }

    @Test
    void whatIsBehindADeadLetterAtWhichTheHandlerFailedRunsAgain() throws Exception {
        List<Delivery> all = fifo.receive("a-1", "a-2", "a-3", "b-1");
        all.getFirst().failed(new Delivery.Failure(cause, true));
        settle(fifo, all, new Settlement.DeadLetter(cause, Duration.ZERO), DELETE, DELETE, DELETE);
        fifo.flush();
        fifo.flush();
        assertThat(fifo.deadLetters()).extracting(StoredMessage::body).containsExactly("a-1");
        assertThat(bodies(fifo.requeued)).containsExactly("a-2", "a-3");
        assertThat(fifo.inFlight()).containsExactly("a-2", "a-3");
    }

    @Test
    void messagesThatDidNotRunWaitBehindAManualOne() throws Exception {
        settle(fifo, fifo.receive("a-1", "a-2", "a-3"), MANUAL, NOT_RUN, NOT_RUN);
        fifo.flush();
        assertThat(bodies(fifo.requeued)).containsExactly("a-2", "a-3");
        assertThat(fifo.inFlight()).containsExactly("a-1", "a-2", "a-3");
    }

    private final SettleBench retrying = SettleBench.retryingHere(true, Duration.ofHours(1));

    private final Settlement retry = new Settlement.Release(Duration.ofSeconds(2));

    /** Of each message: p passed, f failed, t failed with others, n did not run after those failed. */
    @ParameterizedTest
    @CsvSource({"pfp, 1, 121", "fpf, 3, 212", "tt, 2, 22", "ttp, 2, 221", "tf, 2, 22", "fnp, 2, 211", "ftf, 3, 212"})
    void aRetryHoldsAFailedMessageAndItsFollowersUntilTheDelayIsOver(String outcomes, int alone, String attempts)
            throws Exception {
        List<String> bodies = List.of("a-1", "a-2", "a-3").subList(0, outcomes.length());
        List<Delivery> all = retrying.receive(bodies.toArray(String[]::new));
        List<Settlement> settlements = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            char outcome = outcomes.charAt(i);
            if (outcome == 'f' || outcome == 't') {
                all.get(i).failed(new Delivery.Failure(cause, outcome == 'f'));
            }
            settlements.add(outcome == 'p' ? DELETE : outcome == 'n' ? new Settlement.NotRun(true) : retry);
        }
        retrying.settle(all, settlements);
        retrying.flush();
        List<String> held = bodies.subList(outcomes.startsWith("p") ? 1 : 0, bodies.size());
        assertThat(retrying.triedAgain).containsExactly(new SettleBench.TriedAgain(held, alone, Duration.ofSeconds(2)));
        assertThat(retrying.inFlight()).isEqualTo(held);
        assertThat(all.stream().map(each -> String.valueOf(each.attempts())).collect(Collectors.joining()))
                .isEqualTo(attempts);
    }

    @Test
    void theLastAttemptGoesToTheDeadLetterQueueAndItsFollowersRun() throws Exception {
        List<Delivery> all = retrying.receive("a-1", "a-2", "a-3");
        lastAttempt(all.getFirst());
        settle(retrying, all, retry, DELETE, retry); // what is said of what follows does not count
        assertThat(retrying.requeued).isEmpty();
        retrying.flush();
        retrying.flush();
        assertThat(retrying.deadLetters()).extracting(StoredMessage::body).containsExactly("a-1");
        assertThat(retrying.deadLetters().getFirst().attributes())
                .containsEntry("BatchSqsAttempts", MessageAttribute.string("3"))
                .containsEntry("BatchSqsReceiveCount", MessageAttribute.string("1"));
        assertThat(bodies(retrying.requeued)).containsExactly("a-2", "a-3");
        assertThat(retrying.inFlight()).containsExactly("a-2", "a-3");
    }

    @Test
    void theTailReturnsToTheQueueWhenTheDeadLetterQueueRefuses() throws Exception {
        List<Delivery> all = retrying.receive("a-1", "a-2");
        lastAttempt(all.getFirst());
        retrying.reject(Operation.SEND, Faults.Rejection.INVALID, "a-1");
        settle(retrying, all, new Settlement.Release(Duration.ZERO), NOT_RUN);
        retrying.flush();
        retrying.flush();
        assertThat(retrying.visible()).containsExactly("a-1", "a-2");
        assertThat(retrying.limit.used()).isZero();
    }

    @Test
    void retriesReturnToTheQueueWithoutRoomOrWithoutAFailureOfTheMessage() throws Exception {
        List<Delivery> refusedByExecutor = retrying.receive("a-1");
        settle(retrying, refusedByExecutor, retry);
        List<Delivery> noRoom = retrying.receive("b-1");
        noRoom.getFirst().failed(new Delivery.Failure(cause, true));
        retrying.roomToWait = false;
        settle(retrying, noRoom, retry);
        retrying.pass(Duration.ofSeconds(3));
        assertThat(retrying.triedAgain).isEmpty();
        assertThat(retrying.visible()).containsExactly("a-1", "b-1");
    }

    private void lastAttempt(Delivery delivery) {
        for (int i = 1; i < SettleBench.MAX_RECEIVE_COUNT; i++) {
            delivery.countAttempt();
        }
        delivery.failed(new Delivery.Failure(cause, true));
    }
}
