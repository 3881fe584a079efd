/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.listener.ReceiveFailure;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReceiveOutageTests {

    private static final ReceiveFailure DOWN = new ReceiveFailure("ServiceUnavailable", "X", null);
    private static final ReceiveFailure THROTTLED = new ReceiveFailure("RequestThrottled", "X", null);

    private final ReceiveOutage outage = new ReceiveOutage();

    @Test
    void lastsFromTheFirstReceiveThatFailedToTheFirstThatSucceeded() {
        outage.failed(DOWN, Long.MIN_VALUE);
        outage.failed(THROTTLED, Long.MIN_VALUE + 6);
        assertThat(outage.failure()).isEqualTo(THROTTLED);
        assertThat(outage.failingFor(Long.MIN_VALUE + 10)).isEqualTo(Duration.ofNanos(10));
        outage.succeeded();
        assertThat(outage.failure()).isNull();
        assertThat(outage.failingFor(99)).isZero();
    }

    @Test
    void whileReceivesFailTheyDoNotWaitLongForMessages() {
        Duration usual = Duration.ofSeconds(20);
        assertThat(outage.waitTime(usual, false)).isEqualTo(usual);
        outage.failed(DOWN, 0);
        assertThat(outage.waitTime(usual, false)).isEqualTo(Duration.ofSeconds(1));
        assertThat(outage.waitTime(Duration.ZERO, false)).isZero();
    }
}
