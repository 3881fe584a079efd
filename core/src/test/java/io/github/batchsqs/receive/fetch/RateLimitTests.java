/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.fetch;

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
        assertThat(limit.take(10, START)).isZero();
        assertThat(limit.take(10, START)).isZero();
    }

    @Test
    void saysHowLongTheRestTakesAndTakesNothing() {
        limit.take(20, START);
        assertThat(limit.take(10, START)).isEqualTo(SECOND / 2);
        assertThat(limit.take(10, START)).isEqualTo(SECOND / 2);
        assertThat(limit.take(10, START + SECOND / 2)).isZero();
        assertThat(limit.take(1, START + SECOND / 2)).isEqualTo(SECOND / 20);
    }

    @Test
    void savesNoMoreThanOneSecond() {
        assertThat(limit.take(20, START + 60 * SECOND)).isZero();
        assertThat(limit.take(1, START + 60 * SECOND)).isPositive();
    }

    @Test
    void whatAnAnswerDidNotUseIsThereAgain() {
        limit.take(20, START);
        limit.returnTokens(8);
        assertThat(limit.take(8, START)).isZero();
        limit.returnTokens(1_000);
        assertThat(limit.take(20, START)).isZero();
        assertThat(limit.take(1, START)).isPositive();
    }

    @Test
    void aRateBelowOneStillLetsOneThrough() {
        RateLimit slow = new RateLimit(0.1, START);
        assertThat(slow.max()).isEqualTo(1);
        assertThat(slow.take(1, START)).isZero();
        assertThat(slow.take(1, START)).isEqualTo(10 * SECOND);
        assertThat(slow.take(1, START + 10 * SECOND)).isZero();
    }
}
