/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.testkit.SettableTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class FetchOutageTests {

    private static final Duration LEASE = Duration.ofSeconds(30);

    private final SettableTime time = new SettableTime();
    private final FetchOutage outage = new FetchOutage(time);

    @Test
    void anOutageLastsFromTheFirstFailureToTheNextSuccess() {
        assertThat(outage.failingFor(LEASE)).isZero();
        outage.failed();
        time.advance(Duration.ofSeconds(40));
        outage.failed();
        time.advance(Duration.ofSeconds(2));
        assertThat(outage.failingFor(LEASE)).isEqualTo(Duration.ofSeconds(42));
        outage.succeeded();
        assertThat(outage.failingFor(LEASE)).isZero();
    }

    @Test
    void anOldFailureDoesNotShowThePresentState() {
        outage.failed();
        time.advance(Duration.ofSeconds(91));
        assertThat(outage.failingFor(LEASE)).isZero();
    }
}
