/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.Settlement;
import io.github.batchsqs.internal.support.OncePerMinute;
import io.github.batchsqs.listener.ErrorHook;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.testkit.Deliveries;
import io.github.batchsqs.testkit.Deliveries.Message;
import io.github.batchsqs.testkit.SettableTime;
import io.github.batchsqs.testkit.Sources;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutcomePolicyTests {

    private final SettableTime time = new SettableTime();
    private final Deliveries deliveries = Deliveries.standard(Duration.ofSeconds(30), time);
    private final OutcomePolicy policy = policy(new Backoff(Duration.ofSeconds(2), 2, Duration.ofSeconds(60), false));

    @Test
    void theDelayGrowsWithTheReceiveCount() {
        assertThat(failed(received(1))).isEqualTo(new Settlement.Release(Duration.ofSeconds(2)));
        assertThat(failed(received(2))).isEqualTo(new Settlement.Release(Duration.ofSeconds(4)));
        assertThat(failed(received(5))).isEqualTo(new Settlement.Release(Duration.ofSeconds(32)));
        assertThat(failed(received(500))).isEqualTo(new Settlement.Release(Duration.ofSeconds(60)));
    }

    @Test
    void withJitterTheDelayLiesBelowThat() {
        OutcomePolicy jittered = policy(Backoff.exponential(Duration.ofSeconds(2), Duration.ofSeconds(60)));
        Delivery delivery = received(3);
        for (int i = 0; i < 1_000; i++) {
            assertThat(jittered.retry(delivery, time.nanos()).after()).isBetween(Duration.ZERO, Duration.ofSeconds(8));
        }
    }

    @Test
    void theTimeCountsThatTheHandlerChoseByTheVisibility() {
        Delivery delivery = received(1);
        delivery.visibleFrom(time.nanos() + Duration.ofMinutes(7).toNanos());
        assertThat(policy.retry(delivery, time.nanos())).isEqualTo(new Settlement.Release(Duration.ofMinutes(7), true));
        time.advance(Duration.ofMinutes(8));
        assertThat(policy.retry(delivery, time.nanos())).isEqualTo(new Settlement.Release(Duration.ZERO, true));
        delivery.countAttempt();
        assertThat(policy.retry(delivery, time.nanos())).isEqualTo(new Settlement.Release(Duration.ofSeconds(4)));
    }

    private OutcomePolicy policy(Backoff backoff) {
        ListenerOptions options = ListenerOptions.builder("listener", "orders")
                .failure(new ListenerOptions.Failure(
                        backoff,
                        false,
                        List.of(IOException.class, IllegalArgumentException.class),
                        ListenerOptions.Failure.NO_DEAD_LETTER))
                .build();
        return new OutcomePolicy(
                Sources.of(options, Duration.ofSeconds(30), time), ErrorHook.NONE, new OncePerMinute(time));
    }

    private Settlement failed(Delivery delivery) {
        return policy.failed(delivery, new IllegalStateException(), true, time.nanos());
    }

    private Delivery received(int receiveCount) {
        return deliveries
                .receive(List.of(new Message("m" + receiveCount, receiveCount)))
                .getFirst();
    }
}
