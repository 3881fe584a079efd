/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.handoff;

import static io.github.batchsqs.testkit.Deliveries.bodies;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.support.Alarm;
import io.github.batchsqs.testkit.Deliveries;
import io.github.batchsqs.testkit.SettableTime;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class LingeringHandoffTests {

    private static final Duration LINGER = Duration.ofMillis(200);

    private final SettableTime time = new SettableTime();
    private final Deliveries deliveries = Deliveries.standard(Duration.ofSeconds(30), time);
    private final LingeringHandoff handoff = new LingeringHandoff(3, LINGER, () -> false, PayloadLimit.NONE);

    @Test
    void anEmptyOneHasNothingToWaitFor() {
        assertThat(handoff.poll(time.nanos())).isNull();
        assertThat(handoff.nanosUntilDue(time.nanos())).isEqualTo(Alarm.NEVER);
    }

    @Test
    void aFullBatchIsDueAtOnce() {
        offer("a", "b", "c", "d");
        assertThat(handoff.nanosUntilDue(time.nanos())).isZero();
        assertThat(poll()).containsExactly("a", "b", "c");
        assertThat(handoff.poll(time.nanos())).isNull();
        assertThat(handoff.size()).isEqualTo(1);
    }

    @Test
    void aShortBatchIsDueWhenItsFirstMessageHasLingered() {
        offer("a");
        time.advance(Duration.ofMillis(150));
        offer("b");
        assertThat(handoff.poll(time.nanos())).isNull();
        assertThat(handoff.nanosUntilDue(time.nanos()))
                .isEqualTo(Duration.ofMillis(50).toNanos());

        time.advance(Duration.ofMillis(50));

        assertThat(handoff.nanosUntilDue(time.nanos())).isZero();
        assertThat(poll()).containsExactly("a", "b");
    }

    @Test
    void hasNoGroups() {
        List<Delivery> one = deliveries.receive("a");
        handoff.offer(one.getFirst());
        assertThat(handoff.removeWaiting("a")).isEmpty();
        assertThat(handoff.lose(one.getFirst())).isEmpty();
        assertThat(handoff.delayed()).isZero();
    }

    @Test
    void messagesThatDidNotRunWaitAtTheHeadAgain() {
        offer("c");
        assertThat(handoff.requeue(deliveries.receive("a", "b"), 0, null)).isTrue();
        assertThat(bodies(handoff.drain(false))).containsExactly("a", "b", "c");
    }

    private void offer(String... bodies) {
        deliveries.receive(bodies).forEach(handoff::offer);
    }

    private List<String> poll() {
        return bodies(Objects.requireNonNull(handoff.poll(time.nanos())));
    }
}
