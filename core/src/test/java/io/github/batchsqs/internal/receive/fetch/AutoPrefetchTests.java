/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class AutoPrefetchTests {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long ROUND_TRIP = Duration.ofMillis(10).toNanos();
    private static final int MOST = 2 * 10 * 32;

    private final AutoPrefetch prefetch = new AutoPrefetch(32, 0);

    @Test
    void holdsOneReceiveWhileNothingIsKnown() {
        assertThat(prefetch.target(1, 0, 0)).isEqualTo(10);
        assertThat(prefetch.target(SECOND, 0, 500)).isEqualTo(10);
    }

    @Test
    void eachSettledMessageAllowsTwoMoreAtOnce() {
        assertThat(prefetch.target(1, ROUND_TRIP, 10)).isEqualTo(30);
        assertThat(prefetch.target(2, ROUND_TRIP, 30)).isEqualTo(70);
        assertThat(prefetch.target(3, ROUND_TRIP, 31)).isEqualTo(80); // 72, in whole receives
    }

    @Test
    void isCutBackToThreeRoundTripsAtTheMeasuredRate() {
        assertThat(prefetch.target(1, ROUND_TRIP, 100)).isEqualTo(210);
        // 100 messages in 20 ms are 50 in a round trip
        assertThat(prefetch.target(2 * ROUND_TRIP, ROUND_TRIP, 100)).isEqualTo(150);
    }

    @Test
    void keepsDoublingIfTheRateDoublesWithEachRoundTrip() {
        long settled = 0;
        for (int round = 1, receives = 1; receives <= 16; round++, receives *= 2) {
            settled += 10L * receives;
            // what is being deleted now, and twice as many that are asked for
            assertThat(prefetch.target(round * ROUND_TRIP, ROUND_TRIP, settled)).isGreaterThanOrEqualTo(30 * receives);
        }
    }

    @Test
    void neverHoldsMoreThanAllPollersAskForAndTheirDeletes() {
        assertThat(prefetch.target(1, ROUND_TRIP, 1_000_000)).isEqualTo(MOST);
        assertThat(prefetch.target(SECOND, ROUND_TRIP, 1_000_000)).isEqualTo(MOST);
        prefetch.setMaxPollers(4);
        assertThat(prefetch.target(SECOND, ROUND_TRIP, 1_000_000)).isEqualTo(80);
    }

    @Test
    void shrinksSlowlyWhenTheRateFalls() {
        assertThat(prefetch.target(SECOND, ROUND_TRIP, 4_000)).isEqualTo(120);
        assertThat(prefetch.target(2 * SECOND, ROUND_TRIP, 4_000)).isEqualTo(60);
        assertThat(prefetch.target(3 * SECOND, ROUND_TRIP, 4_000)).isEqualTo(30);
    }
}
