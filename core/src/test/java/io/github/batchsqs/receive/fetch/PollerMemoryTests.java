/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ReceiveFailure;
import io.github.batchsqs.receive.delivery.ListenerQueue;
import io.github.batchsqs.testkit.SettableTime;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class PollerMemoryTests {

    private static final Duration LONG_POLL = Duration.ofSeconds(20);
    /** Draws the longest delay. */
    private static final RandomGenerator LONGEST = new RandomGenerator() {
        @Override
        public long nextLong() {
            return Long.MAX_VALUE;
        }

        @Override
        public long nextLong(long bound) {
            return bound - 1;
        }
    };

    private final QueueCallException refused =
            new QueueCallException("ReceiveMessage", "ServiceUnavailable", "down", true, null);
    private final SettableTime time = new SettableTime();
    private final ListenerQueue source = new ListenerQueue(
            ListenerOptions.builder("listener", "orders").build(),
            new Queue("orders", "http://localhost/orders"),
            Duration.ofSeconds(30));

    @Test
    void theProbeOfAnOutageWaitsAtMostThreeSecondsHoweverLongTheOutageLasts() {
        PollerMemory memory = new PollerMemory(source, LONGEST);
        ReceiveOutage outage = new ReceiveOutage(time.nanos());
        Duration longest = Duration.ZERO;
        for (int probe = 0; probe < 1_000; probe++) {
            long calledAt = time.nanos();
            time.advance(Duration.ofMillis(1));
            boolean othersGoOn = outage.failed(this, new ReceiveFailure(refused.code(), "X"), calledAt, time.nanos());
            assertThat(othersGoOn).isFalse();
            Duration pause = memory.failed(refused, time.nanos());
            assertThat(memory.pauseNanos(time.nanos())).isEqualTo(pause.toNanos());
            assertThat(outage.mayReceive(this)).isTrue();
            Duration untilResponse =
                    pause.plus(outage.waitTime(LONG_POLL)); // an empty queue responds at the end of its poll
            longest = untilResponse.compareTo(longest) > 0 ? untilResponse : longest;
            time.advance(pause);
            assertThat(memory.pauseNanos(time.nanos())).isZero();
        }
        assertThat(longest).isGreaterThan(Duration.ofSeconds(1)).isLessThanOrEqualTo(Duration.ofSeconds(3));
    }
}
