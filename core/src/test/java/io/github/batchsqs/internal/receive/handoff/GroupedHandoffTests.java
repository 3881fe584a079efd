/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.handoff;

import static io.github.batchsqs.testkit.Deliveries.bodies;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.support.Alarm;
import io.github.batchsqs.testkit.Deliveries;
import io.github.batchsqs.testkit.SettableTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class GroupedHandoffTests {

    private static final Duration LINGER = Duration.ofMillis(200);

    private final SettableTime time = new SettableTime();
    private final Deliveries deliveries = Deliveries.fifo(Duration.ofSeconds(30), time);
    private final Map<String, Delivery> offered = new HashMap<>();
    private final GroupedHandoff handoff = new GroupedHandoff(3, Duration.ZERO, false, () -> false, PayloadLimit.NONE);
    private final GroupedHandoff mixed = new GroupedHandoff(4, LINGER, true, () -> false, PayloadLimit.NONE);

    @Test
    void aBatchHoldsOneGroupInOrder() {
        offer(handoff, "a-1", "b-1", "a-2", "b-2");
        assertThat(poll(handoff)).containsExactly("a-1", "a-2");
        assertThat(poll(handoff)).containsExactly("b-1", "b-2");
        assertThat(handoff.poll(time.nanos())).isNull();
    }

    @Test
    void aGroupWhoseBatchIsOutWaitsUntilItIsReleased() {
        offer(handoff, "a-1", "a-2", "a-3", "a-4");
        assertThat(poll(handoff)).containsExactly("a-1", "a-2", "a-3");
        offer(handoff, "a-5");
        assertThat(handoff.poll(time.nanos())).isNull();
        assertThat(handoff.nanosUntilDue(time.nanos())).isEqualTo(Alarm.NEVER);

        settled(handoff, "a-1", "a-2");
        assertThat(handoff.poll(time.nanos())).isNull();
        settled(handoff, "a-3");

        assertThat(poll(handoff)).containsExactly("a-4", "a-5");
    }

    @Test
    void removesTheWaitingMessagesOfOneGroup() {
        offer(handoff, "a-1", "a-2", "a-3", "a-4", "b-1");
        poll(handoff);
        assertThat(bodies(handoff.removeWaiting("a"))).containsExactly("a-4");
        assertThat(handoff.removeWaiting("a")).isEmpty();
        assertThat(handoff.removeWaiting("unknown")).isEmpty();
        assertThat(handoff.size()).isEqualTo(1);
        settled(handoff, "a-1", "a-2", "a-3");
        assertThat(poll(handoff)).containsExactly("b-1");
        assertThat(handoff.poll(time.nanos())).isNull();
    }

    @Test
    void messagesThatComeAfterARemovalRunTogether() {
        offer(handoff, "a-1", "a-2", "a-3");
        poll(handoff);
        handoff.requeue(all("a-2", "a-3"), 2, null);
        assertThat(bodies(handoff.removeWaiting("a"))).containsExactly("a-2", "a-3");
        offer(handoff, "a-4", "a-5");
        settled(handoff, "a-1");
        assertThat(poll(handoff)).containsExactly("a-4", "a-5");
    }

    @Test
    void drainingLeavesWhatWaitsBehindARunningBatchUnlessAsked() {
        offer(handoff, "a-1", "a-2", "a-3", "a-4", "b-1", "b-2");
        poll(handoff);
        assertThat(bodies(handoff.drain(false))).containsExactly("b-1", "b-2");
        assertThat(bodies(handoff.drain(true))).containsExactly("a-4");
        assertThat(handoff.size()).isZero();
    }

    @Test
    void aGroupLingersFromItsFirstMessage() {
        GroupedHandoff lingering = new GroupedHandoff(3, LINGER, false, () -> false, PayloadLimit.NONE);
        offer(lingering, "a-1");
        time.advance(Duration.ofMillis(150));
        offer(lingering, "a-2", "b-1", "b-2", "b-3");
        assertThat(poll(lingering)).containsExactly("b-1", "b-2", "b-3");
        assertThat(lingering.poll(time.nanos())).isNull();
        assertThat(lingering.nanosUntilDue(time.nanos()))
                .isEqualTo(Duration.ofMillis(50).toNanos());
        time.advance(Duration.ofMillis(50));
        assertThat(poll(lingering)).containsExactly("a-1", "a-2");
    }

    @Test
    void aMixedBatchTakesAsManyGroupsAsFillIt() {
        offer(mixed, "a-1", "b-1", "c-1", "a-2", "c-2");
        assertThat(mixed.nanosUntilDue(time.nanos())).isZero();
        assertThat(poll(mixed)).containsExactly("a-1", "a-2", "b-1", "c-1");
        assertThat(mixed.poll(time.nanos())).isNull();
        settled(mixed, "a-1", "c-1");
        assertThat(mixed.poll(time.nanos())).isNull();
        time.advance(LINGER);
        assertThat(poll(mixed)).containsExactly("c-2");
    }

    @Test
    void aMixedBatchHoldsNoGroupThatIsInARunningOne() {
        offer(mixed, "a-1", "a-2", "a-3", "a-4", "a-5", "b-1");
        assertThat(poll(mixed)).containsExactly("a-1", "a-2", "a-3", "a-4");
        time.advance(LINGER);
        assertThat(poll(mixed)).containsExactly("b-1");
        assertThat(mixed.poll(time.nanos())).isNull();
        assertThat(mixed.size()).isEqualTo(1);
    }

    @Test
    void aMixedBatchThatIsNotFullIsDueWhenOneOfItsGroupsHasLingered() {
        offer(mixed, "a-1");
        time.advance(LINGER.dividedBy(2));
        offer(mixed, "b-1");
        assertThat(mixed.poll(time.nanos())).isNull();
        assertThat(mixed.nanosUntilDue(time.nanos()))
                .isEqualTo(LINGER.dividedBy(2).toNanos());
        time.advance(LINGER.dividedBy(2));
        assertThat(poll(mixed)).containsExactly("a-1", "b-1");
        assertThat(mixed.nanosUntilDue(time.nanos())).isEqualTo(Alarm.NEVER);
    }

    @Test
    void aGroupThatIsToBeTriedAgainWaitsUntilItsTimeAndOthersGoOn() {
        offer(handoff, "a-1", "a-2", "b-1");
        poll(handoff);
        long notBefore = time.nanos() + LINGER.toNanos();
        assertThat(handoff.requeue(all("a-1", "a-2"), 1, notBefore)).isTrue();
        assertThat(handoff.delayed()).isEqualTo(2);
        assertThat(handoff.size()).isEqualTo(3);

        assertThat(poll(handoff)).containsExactly("b-1");
        assertThat(handoff.poll(time.nanos())).isNull();
        assertThat(handoff.nanosUntilDue(time.nanos())).isEqualTo(LINGER.toNanos());

        time.advance(LINGER);
        assertThat(handoff.nanosUntilDue(time.nanos())).isZero();
        assertThat(poll(handoff)).containsExactly("a-1");
        assertThat(handoff.delayed()).isZero();
        settled(handoff, "a-1");
        assertThat(poll(handoff)).containsExactly("a-2");
    }

    /** The message ahead waits for its delete, for example. Nobody else may take the room of those behind it meanwhile. */
    @Test
    void aGroupThatIsToBeTriedAgainCountsAlsoWhileAMessageOfItIsOut() {
        offer(handoff, "a-1", "a-2", "a-3");
        poll(handoff);
        handoff.requeue(all("a-2", "a-3"), 1, time.nanos() + LINGER.toNanos());
        assertThat(handoff.delayed()).isEqualTo(2);
        offer(handoff, "a-4");
        assertThat(handoff.delayed()).isEqualTo(3);
        assertThat(handoff.delayedBytes()).isEqualTo(9);

        settled(handoff, "a-1");
        assertThat(handoff.delayed()).isEqualTo(3);
        time.advance(LINGER);
        assertThat(poll(handoff)).containsExactly("a-2");
        assertThat(handoff.delayed()).isZero();

        handoff.requeue(all("a-2"), 1, time.nanos() + LINGER.toNanos());
        assertThat(bodies(handoff.removeWaiting("a"))).containsExactly("a-2", "a-3", "a-4");
        assertThat(handoff.delayed()).isZero();
        assertThat(handoff.delayedBytes()).isZero();
        assertThat(handoff.size()).isZero();
    }

    @Test
    void messagesThatFailedTogetherRunOneByOneEachAfterTheOneBefore() {
        offer(handoff, "a-1", "a-2", "a-3", "a-4", "a-5");
        poll(handoff);
        handoff.requeue(all("a-1", "a-2", "a-3"), 3, time.nanos());
        assertThat(poll(handoff)).containsExactly("a-1");
        assertThat(handoff.poll(time.nanos())).isNull();
        settled(handoff, "a-1");
        assertThat(poll(handoff)).containsExactly("a-2");
        handoff.requeue(all("a-2"), 1, time.nanos());
        assertThat(poll(handoff)).containsExactly("a-2");
        settled(handoff, "a-2");
        assertThat(poll(handoff)).containsExactly("a-3");
        settled(handoff, "a-3");
        assertThat(poll(handoff)).containsExactly("a-4", "a-5");
    }

    @Test
    void aMessageThatRunsAloneSharesNoMixedBatch() {
        offer(mixed, "a-1", "b-1", "c-1", "d-1");
        poll(mixed);
        offer(mixed, "e-1");
        mixed.requeue(all("b-1"), 1, time.nanos());
        assertThat(poll(mixed)).containsExactly("b-1");
        assertThat(mixed.poll(time.nanos())).as("it lingers").isNull();
        offer(mixed, "f-1", "g-1", "h-1");
        assertThat(poll(mixed)).containsExactly("e-1", "f-1", "g-1", "h-1");
    }

    @Test
    void aMessageBlocksItsGroupUntilItHasLeft() {
        Delivery handled = deliveries.receive("a-1").getFirst();
        handoff.block(handled);
        offer(handoff, "a-2");
        assertThat(handoff.poll(time.nanos())).isNull();
        handoff.settled(handled);
        assertThat(poll(handoff)).containsExactly("a-2");
    }

    @Test
    void aGroupThatLostAMessageRequeuesNothingUntilAllOfItHasLeft() {
        offer(handoff, "a-1", "a-2", "a-3", "a-4");
        poll(handoff);
        assertThat(all("a-1", "a-2", "a-3")).noneMatch(Delivery::isLost);

        assertThat(bodies(handoff.lose(all("a-2").getFirst()))).containsExactly("a-4");

        assertThat(all("a-1", "a-2", "a-3"))
                .extracting(Delivery::isLost)
                .as("what is behind it too")
                .containsExactly(false, true, true);
        handoff.lose(all("a-1").getFirst()); // another one ahead of it
        assertThat(all("a-1")).allMatch(Delivery::isLost);
        settled(handoff, "a-1");
        assertThat(handoff.requeue(all("a-2", "a-3"), 0, null)).isFalse();
        offer(handoff, "a-5");
        settled(handoff, "a-2");
        assertThat(handoff.poll(time.nanos())).isNull();
        settled(handoff, "a-3");
        assertThat(poll(handoff)).containsExactly("a-5");
        assertThat(all("a-5")).noneMatch(Delivery::isLost);
    }

    private void offer(GroupedHandoff to, String... bodies) {
        for (Delivery delivery : deliveries.receive(bodies)) {
            offered.put(delivery.message().body(), delivery);
            to.offer(delivery);
        }
    }

    private void settled(GroupedHandoff in, String... bodies) {
        all(bodies).forEach(in::settled);
    }

    private List<Delivery> all(String... bodies) {
        return Stream.of(bodies)
                .map(body -> Objects.requireNonNull(offered.get(body)))
                .toList();
    }

    private List<String> poll(GroupedHandoff from) {
        return bodies(Objects.requireNonNull(from.poll(time.nanos())));
    }
}
