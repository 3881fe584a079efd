/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RateLimitTests {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long START = -3 * SECOND;

    private final RateLimit limit = new RateLimit(20, START);

    @Test
    void holdsWhatOneSecondAllows() {
        assertThat(limit.max()).isEqualTo(20);
        assertThat(take(limit, 10, START)).isZero();
        assertThat(take(limit, 10, START)).isZero();
    }

    @Test
    void saysHowLongTheRestTakesAndTakesNothing() {
        take(limit, 20, START);
        assertThat(take(limit, 10, START)).isEqualTo(SECOND / 2);
        assertThat(take(limit, 10, START)).isEqualTo(SECOND / 2);
        assertThat(take(limit, 10, START + SECOND / 2)).isZero();
        assertThat(take(limit, 1, START + SECOND / 2)).isEqualTo(SECOND / 20);
    }

    @Test
    void savesNoMoreThanOneSecond() {
        assertThat(take(limit, 20, START + 60 * SECOND)).isZero();
        assertThat(take(limit, 1, START + 60 * SECOND)).isPositive();
    }

    @Test
    void whatAnAnswerDidNotUseIsThereAgain() {
        take(limit, 20, START);
        limit.returnTokens(8);
        assertThat(take(limit, 8, START)).isZero();
        limit.returnTokens(1_000);
        assertThat(take(limit, 20, START)).isZero();
        assertThat(take(limit, 1, START)).isPositive();
    }

    @Test
    void aRateBelowOneStillLetsOneThrough() {
        RateLimit slow = new RateLimit(0.1, START);
        assertThat(slow.max()).isEqualTo(1);
        assertThat(take(slow, 1, START)).isZero();
        assertThat(take(slow, 1, START)).isEqualTo(10 * SECOND);
        assertThat(take(slow, 1, START + 10 * SECOND)).isZero();
    }

    /** Takes the tokens and returns 0, or takes none and returns the nanoseconds until they will be there. */
    private static long take(RateLimit limit, int tokens, long now) {
        long wait = limit.nanosUntil(tokens, now);
        if (wait == 0) {
            limit.take(tokens);
        }
        return wait;
    }
}
