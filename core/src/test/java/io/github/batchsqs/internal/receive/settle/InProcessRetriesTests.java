/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.settle;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.receive.delivery.Settlement;
import io.github.batchsqs.internal.receive.settle.InProcessRetries.Decision;
import io.github.batchsqs.testkit.Deliveries;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.SettableTime;
import io.github.batchsqs.testkit.Sources;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class InProcessRetriesTests {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration UP_TO = InProcessRetries.UP_TO;
    private static final Duration SOON = Duration.ofSeconds(1);

    private final SettableTime time = new SettableTime();
    private final Queue queue = new InMemoryQueueClient(time).createQueue("orders.fifo");
    private final InProcessRetries retries = new InProcessRetries(3);
    private final Deliveries deliveries = Deliveries.fifo(LEASE, time);
    private final Delivery delivery = deliveries.receive("a-1").getFirst();

    @Test
    void aMessageThatFailedWithOthersIsNotDeadLetteredBeforeItFailedAlone() {
        delivery.countAttempt();
        delivery.countAttempt();
        assertThat(decide(false, SOON)).isEqualTo(Decision.RETRY_HERE);
        assertThat(decide(true, SOON)).isEqualTo(Decision.DEAD_LETTER);
    }

    @Test
    void aLongDelayIsSpentInTheQueue() {
        assertThat(decide(true, UP_TO)).isEqualTo(Decision.RETRY_HERE);
        assertThat(decide(true, UP_TO.plusNanos(1))).isEqualTo(Decision.RETURN_TO_QUEUE);
    }

    @Test
    void aLongBackoffIsCutAndADelayOfTheHandlerIsNot() {
        Duration longer = UP_TO.plusSeconds(1);
        assertThat(retries.delay(new Settlement.Release(SOON))).isEqualTo(SOON);
        assertThat(retries.delay(new Settlement.Release(longer))).isEqualTo(UP_TO);
        assertThat(retries.delay(new Settlement.Release(longer, true))).isEqualTo(longer);
    }

    @Test
    void aMessageWhoseLeaseIsOrWasLostReturnsToTheQueue() {
        time.advance(LEASE);
        assertThat(decide(true, SOON)).isEqualTo(Decision.RETURN_TO_QUEUE);
        assertThat(deliveries.receive(List.of(new Deliveries.Message("a-1", 2))))
                .isEmpty();
        assertThat(delivery.leaseLost(time.nanos())).isFalse();
        assertThat(decide(true, SOON)).as("under the lease of a second receive").isEqualTo(Decision.RETURN_TO_QUEUE);
    }

    @Test
    void halfALeaseIsLeftForTheNextAttemptWithinTheLongestExtension() {
        Duration longest = LEASE.multipliedBy(2);
        time.advance(LEASE.minusSeconds(1)); // 31 s are left, 15 s must be
        assertThat(decide(true, Duration.ofSeconds(16), true, longest)).isEqualTo(Decision.RETRY_HERE);
        assertThat(decide(true, Duration.ofSeconds(17), true, longest)).isEqualTo(Decision.RETURN_TO_QUEUE);
    }

    @Test
    void withoutExtensionTheLeaseItselfMustLast() {
        assertThat(decide(true, Duration.ofSeconds(15), false, Duration.ofHours(1)))
                .isEqualTo(Decision.RETRY_HERE);
        assertThat(decide(true, Duration.ofSeconds(16), false, Duration.ofHours(1)))
                .isEqualTo(Decision.RETURN_TO_QUEUE);
    }

    private Decision decide(boolean blamed, Duration delay) {
        return decide(blamed, delay, true, Duration.ofHours(1));
    }

    private Decision decide(boolean blamed, Duration delay, boolean extend, Duration longest) {
        ListenerQueue source = Sources.of(SettleBench.options(queue, extend, longest), LEASE, time);
        return retries.decide(delivery, blamed, delay, source, time.nanos());
    }
}
