/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.handoff;

import static io.github.batchsqs.testkit.Deliveries.bodies;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.receive.fetch.Delivery;
import io.github.batchsqs.testkit.Deliveries;
import io.github.batchsqs.testkit.SettableTime;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class GroupedHandoffTests {

    private static final Duration LINGER = Duration.ofMillis(200);

    private final SettableTime time = new SettableTime();
    private final Deliveries deliveries = Deliveries.fifo(Duration.ofSeconds(30), time);
    private final GroupedHandoff handoff = new GroupedHandoff(3, Duration.ZERO, false);
    private final GroupedHandoff mixed = new GroupedHandoff(4, LINGER, true);

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
        assertThat(handoff.nanosUntilDue(time.nanos())).isEqualTo(Handoff.NEVER);

        handoff.release("a");

        assertThat(poll(handoff)).containsExactly("a-4", "a-5");
    }

    @Test
    void groupsAreServedInTheOrderInWhichTheyBecameReady() {
        offer(handoff, "a-1", "a-2", "a-3", "a-4", "b-1");
        assertThat(poll(handoff)).containsExactly("a-1", "a-2", "a-3");
        handoff.release("a");
        assertThat(poll(handoff)).containsExactly("b-1");
        assertThat(poll(handoff)).containsExactly("a-4");
    }

    @Test
    void whatIsTakenBackComesBeforeWhatWaits() {
        List<Delivery> first = deliveries.receive("a-1", "a-2", "a-3");
        first.forEach(handoff::offer);
        offer(handoff, "a-4");
        poll(handoff);

        handoff.takeBack(first.subList(1, 3));
        assertThat(handoff.poll(time.nanos())).isNull();
        handoff.release("a");

        assertThat(poll(handoff)).containsExactly("a-2", "a-3", "a-4");
    }

    @Test
    void withdrawingTakesWhatWaitsOfOneGroup() {
        offer(handoff, "a-1", "a-2", "a-3", "a-4", "b-1");
        poll(handoff);
        assertThat(bodies(handoff.withdraw("a"))).containsExactly("a-4");
        assertThat(handoff.withdraw("a")).isEmpty();
        assertThat(handoff.withdraw("unknown")).isEmpty();
        assertThat(handoff.size()).isEqualTo(1);
        handoff.release("a");
        assertThat(poll(handoff)).containsExactly("b-1");
        assertThat(handoff.poll(time.nanos())).isNull();
    }

    @Test
    void aGroupThatWasWithdrawnWhileReadyIsGone() {
        offer(handoff, "a-1", "b-1");
        handoff.withdraw("a");
        assertThat(poll(handoff)).containsExactly("b-1");
        offer(handoff, "a-2");
        assertThat(poll(handoff)).containsExactly("a-2");
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
        GroupedHandoff lingering = new GroupedHandoff(3, LINGER, false);
        offer(lingering, "a-1");
        time.advance(Duration.ofMillis(150));
        offer(lingering, "b-1", "b-2", "b-3");
        assertThat(poll(lingering)).containsExactly("b-1", "b-2", "b-3");
        assertThat(lingering.poll(time.nanos())).isNull();
        assertThat(lingering.nanosUntilDue(time.nanos()))
                .isEqualTo(Duration.ofMillis(50).toNanos());
        time.advance(Duration.ofMillis(50));
        assertThat(poll(lingering)).containsExactly("a-1");
    }

    @Test
    void aMixedBatchTakesAsManyGroupsAsFillIt() {
        offer(mixed, "a-1", "b-1", "c-1", "a-2", "c-2");
        assertThat(mixed.nanosUntilDue(time.nanos())).isZero();
        assertThat(poll(mixed)).containsExactly("a-1", "a-2", "b-1", "c-1");
        assertThat(mixed.poll(time.nanos())).isNull();
        mixed.release("c");
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
        assertThat(mixed.nanosUntilDue(time.nanos())).isEqualTo(Handoff.NEVER);
    }

    @Test
    void releasingAGroupThatIsNotOutIsAnError() {
        offer(handoff, "a-1");
        assertThatThrownBy(() -> handoff.release("a")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> handoff.release("b")).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void groupsThatAreDoneTakeNoMemory() {
        for (int i = 0; i < 1_000; i++) {
            offer(handoff, "g" + i + "-1");
            poll(handoff);
            handoff.release("g" + i);
        }
        assertThat(handoff.lanes()).isZero();
    }

    private void offer(GroupedHandoff to, String... bodies) {
        deliveries.receive(bodies).forEach(to::offer);
    }

    private List<String> poll(GroupedHandoff from) {
        return bodies(Objects.requireNonNull(from.poll(time.nanos())));
    }
}
