/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class AutoPrefetchTests {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long ROUND_TRIP = Duration.ofMillis(10).toNanos();

    private final AutoPrefetch prefetch = new AutoPrefetch(320, 0);

    @Test
    void holdsOneReceiveWhileNothingIsKnown() {
        assertThat(prefetch.target(1, 0, 0)).isEqualTo(10);
        assertThat(prefetch.target(SECOND, 0, 500)).isEqualTo(10);
    }

    @Test
    void holdsTwiceWhatOneRoundTripNeeds() {
        // 4,900 messages/s × 10 ms × 2 = 98
        assertThat(prefetch.target(SECOND, ROUND_TRIP, 4_900)).isEqualTo(100);
    }

    @Test
    void roundsUpToWholeReceives() {
        // 520 messages/s × 10 ms × 2 = 10.4
        assertThat(prefetch.target(SECOND, ROUND_TRIP, 520)).isEqualTo(20);
    }

    @Test
    void neverHoldsMoreThanAllPollersCanBring() {
        assertThat(prefetch.target(SECOND, ROUND_TRIP, 1_000_000)).isEqualTo(320);
    }

    @Test
    void growsAtOnceAndShrinksSlowly() {
        assertThat(prefetch.target(SECOND, ROUND_TRIP, 4_900)).isEqualTo(100);
        assertThat(prefetch.target(2 * SECOND, ROUND_TRIP, 14_700)).isEqualTo(200);
        assertThat(prefetch.target(3 * SECOND, ROUND_TRIP, 14_700)).isEqualTo(100);
        assertThat(prefetch.target(4 * SECOND, ROUND_TRIP, 14_700)).isEqualTo(50);
    }

    @Test
    void anAnswerWithinTheWindowChangesNothing() {
        assertThat(prefetch.target(SECOND, ROUND_TRIP, 4_900)).isEqualTo(100);
        assertThat(prefetch.target(SECOND + ROUND_TRIP / 2, ROUND_TRIP, 4_900)).isEqualTo(100);
    }

    @Test
    void timeMayBeBelowZero() {
        AutoPrefetch early = new AutoPrefetch(320, -2 * SECOND);
        assertThat(early.target(-SECOND, ROUND_TRIP, 4_900)).isEqualTo(100);
    }
}
