/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Time is a parameter here. */
class SimulatedQueueTests {

    private static final int MINUTE = 60;

    private final AtomicLong sequences = new AtomicLong();
    private final SimulatedQueue queue = new SimulatedQueue(
            "queue",
            QueueSettings.of(Map.of(), name -> {
                throw new IllegalArgumentException(name);
            }),
            sequences::incrementAndGet,
            () -> new Quotas(15, 0, 1, 0));

    @Test
    void aDeletedMessageLeavesNoTimerBehind() {
        queue.fill(10, new byte[] {'m'}, 1, 0);
        List<StoredMessage> messages = queue.receive(10, MINUTE, null, 0);
        assertThat(queue.timers()).isEqualTo(10);

        messages.forEach(message -> queue.delete(message.receiptHandle(), 1));

        assertThat(queue.timers()).isZero();
    }

    @Test
    void aMessageHasOneTimerHoweverOftenItsVisibilityChanges() {
        queue.fill(1, new byte[] {'m'}, 1, 0);
        String handle = queue.receive(1, MINUTE, null, 0).getFirst().receiptHandle();

        queue.changeVisibility(handle, 2 * MINUTE, 1);
        queue.changeVisibility(handle, MINUTE, 2);

        assertThat(queue.timers()).isOne();
        assertThat(queue.visible(60_001)).isZero();
        assertThat(queue.visible(60_002)).isOne();
        assertThat(queue.timers()).isZero();
    }

    @Test
    void noMoreMessagesAreInFlightThanTheQuotaPermits() {
        queue.fill(20, new byte[] {'m'}, 1, 0);
        List<StoredMessage> first = queue.receive(10, MINUTE, null, 0);
        assertThat(queue.full(0)).isFalse();
        assertThat(queue.receive(10, MINUTE, null, 0)).hasSize(5);

        assertThat(queue.full(0)).isTrue();
        assertThat(queue.receive(10, MINUTE, null, 0)).isEmpty();

        assertThat(queue.delete(first.getFirst().receiptHandle(), 1)).isTrue();
        assertThat(queue.receive(10, MINUTE, null, 1)).hasSize(1);
    }
}
