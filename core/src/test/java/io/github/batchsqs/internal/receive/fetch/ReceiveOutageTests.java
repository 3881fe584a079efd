/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.listener.ReceiveFailure;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ReceiveOutageTests {

    private static final ReceiveFailure DOWN = new ReceiveFailure("ServiceUnavailable", "X");
    private static final ReceiveFailure THROTTLED = new ReceiveFailure("RequestThrottled", "X");

    private final ReceiveOutage outage = new ReceiveOutage();

    @Test
    void aSingleFailureStopsNobody() {
        assertThat(outage.failed("a", DOWN, 0, 5)).isFalse();
        assertThat(outage.mayReceive("a")).isTrue();
        assertThat(outage.mayReceive("b")).isTrue();
        assertThat(outage.failure()).isEqualTo(DOWN);
        assertThat(outage.failingFor(7)).isEqualTo(Duration.ofNanos(7));
    }

    @Test
    void receivesThatWereOpenWhenTheFirstFailedAreTheSameFailure() {
        outage.failed("a", DOWN, 0, 5);
        outage.failed("b", DOWN, 4, 6);
        assertThat(outage.mayReceive("c")).isTrue();
    }

    @Test
    void aSecondFailureInARowBeginsAnOutageInWhichOneProbes() {
        begin();
        assertThat(outage.mayReceive("a")).isTrue();
        assertThat(outage.mayReceive("b")).isFalse();
        assertThat(outage.failed("a", DOWN, 20, 30)).isFalse();
        assertThat(outage.failed("b", DOWN, 1, 30)).isFalse();
        assertThat(outage.mayReceive("a")).isTrue();
        assertThat(outage.mayReceive("b")).isFalse();
    }

    @Test
    void aSuccessBetweenTwoFailuresLeavesThemSingle() {
        outage.failed("a", DOWN, 0, 5);
        assertThat(outage.succeeded()).isFalse();
        outage.failed("a", DOWN, 6, 10);
        assertThat(outage.mayReceive("b")).isTrue();
        assertThat(outage.failingFor(10)).isEqualTo(Duration.ofNanos(4));
    }

    @Test
    void theFirstSuccessEndsTheOutageForAll() {
        begin();
        assertThat(outage.succeeded()).isTrue();
        assertThat(outage.succeeded()).isFalse();
        assertThat(outage.mayReceive("b")).isTrue();
        assertThat(outage.failure()).isNull();
        assertThat(outage.failingFor(99)).isZero();
    }

    @Test
    void anotherProbesWhenTheProbingPollerRetires() {
        begin();
        assertThat(outage.retired("b")).isFalse();
        assertThat(outage.retired("a")).isTrue();
        assertThat(outage.mayReceive("c")).isTrue();
        assertThat(outage.mayReceive("b")).isFalse();
    }

    @Test
    void throttledPollersDoNotWaitForOneAnother() {
        outage.failed("a", THROTTLED, 0, 5);
        assertThat(outage.failed("a", THROTTLED, 6, 10)).isFalse();
        assertThat(outage.mayReceive("b")).isTrue();
        assertThat(outage.failure()).isEqualTo(THROTTLED);
    }

    @Test
    void aThrottledProbeShowsThatTheEndpointIsBack() {
        begin();
        assertThat(outage.failed("a", THROTTLED, 20, 30)).isTrue();
        assertThat(outage.mayReceive("b")).isTrue();
        assertThat(outage.failingFor(30)).isEqualTo(Duration.ofNanos(30));
    }

    @Test
    void whileReceivesFailTheyDoNotWaitLongForMessages() {
        Duration usual = Duration.ofSeconds(20);
        assertThat(outage.waitTime(usual, false)).isEqualTo(usual);
        outage.failed("a", DOWN, 0, 5);
        assertThat(outage.waitTime(usual, false)).isEqualTo(Duration.ofSeconds(1));
        assertThat(outage.waitTime(Duration.ZERO, false)).isZero();
    }

    @Test
    void timeMayBeBelowZero() {
        outage.failed("a", DOWN, Long.MIN_VALUE, Long.MIN_VALUE + 5);
        outage.failed("a", DOWN, Long.MIN_VALUE + 6, Long.MIN_VALUE + 7);
        assertThat(outage.mayReceive("b")).isFalse();
    }

    private void begin() {
        outage.failed("a", DOWN, 0, 5);
        outage.failed("a", DOWN, 5, 10);
    }
}
