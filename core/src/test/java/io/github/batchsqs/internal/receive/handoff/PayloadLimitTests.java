/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.handoff;

import static io.github.batchsqs.testkit.Deliveries.bodies;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.testkit.Deliveries;
import io.github.batchsqs.testkit.SettableTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Batches end before their payloads need too much memory. The last digit of a body is the size of its payload; the limit is 5. */
class PayloadLimitTests {

    private static final Duration LEASE = Duration.ofSeconds(30);

    private final SettableTime time = new SettableTime();
    private final PayloadLimit limit =
            new PayloadLimit(message -> message.body().charAt(message.body().length() - 1) - '0', 5);

    @Test
    void aBatchOfAStandardQueueEndsAtTheLimit() {
        var handoff = new LingeringHandoff(4, Duration.ZERO, () -> false, limit);
        Deliveries.standard(LEASE, time)
                .receive("a3", "b2", "c1", "d9", "e0", "f0", "g5", "h0", "i0", "j0")
                .forEach(handoff::offer);

        assertThat(batches(handoff))
                .containsExactly(
                        List.of("a3", "b2"), List.of("c1"), List.of("d9", "e0", "f0"), List.of("g5", "h0", "i0", "j0"));
    }

    @Test
    void theRestOfAGroupRunsWhenItsBatchIsSettled() {
        var handoff = new GroupedHandoff(10, Duration.ZERO, false, () -> false, limit);
        Deliveries.fifo(LEASE, time)
                .receive("a-13", "a-23", "a-32", "b-11", "a-49")
                .forEach(handoff::offer);

        assertThat(batches(handoff))
                .containsExactly(List.of("a-13"), List.of("b-11"), List.of("a-23", "a-32"), List.of("a-49"));
        assertThat(handoff.size()).isZero();
    }

    @Test
    void aMixedBatchTakesOfEachGroupWhatFits() {
        var handoff = new GroupedHandoff(10, Duration.ZERO, true, () -> false, limit);
        Deliveries.fifo(LEASE, time)
                .receive("a-13", "a-23", "b-12", "c-11", "b-20")
                .forEach(handoff::offer);

        assertThat(batches(handoff)).containsExactly(List.of("a-13", "b-12", "b-20"), List.of("c-11"), List.of("a-23"));
        assertThat(handoff.size()).isZero();
    }

    /** Returns the batches in their order, each settled before the next but those that are ready beside it. */
    private List<List<String>> batches(Handoff handoff) {
        List<List<String>> batches = new ArrayList<>();
        List<List<Delivery>> out = new ArrayList<>();
        do {
            out.forEach(batch -> batch.forEach(handoff::settled));
            out.clear();
            for (List<Delivery> batch = handoff.poll(time.nanos()); batch != null; batch = handoff.poll(time.nanos())) {
                batches.add(bodies(batch));
                out.add(batch);
            }
        } while (!out.isEmpty());
        return batches;
    }
}
