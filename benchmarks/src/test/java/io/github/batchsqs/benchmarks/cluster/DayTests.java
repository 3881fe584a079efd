/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DayTests {

    private static final long HOUR = 3_600_000;

    @Test
    void theLoadFollowsTheCurveBetweenFullHours() {
        assertThat(Day.perSecond(10 * HOUR)).isEqualTo(Day.PEAK_PER_SECOND);
        assertThat(Day.perSecond(0)).isEqualTo(192);
        assertThat(Day.perSecond(HOUR / 2)).isEqualTo(168);
        assertThat(Day.perSecond(24 * HOUR)).isEqualTo(192);
    }

    @Test
    void theLengthsOfTheQueueAreThoseThatThePageAboutCapacityRecommends() {
        assertThat(Day.all().stream().map(day -> day.settings().queueLength()))
                .containsExactly(5, 9_600, 38_400, 38_400, 9_600);
    }

    @Test
    void onePodIsEnoughInTheNightInWhichThereMayBeNone() {
        Day night = Day.all().getLast();

        assertThat(night.settings().minPods()).isZero();
        assertThat(night.settings().activationQueueLength()).isPositive();
        for (long at = 0; at <= night.millis(); at += HOUR / 4) {
            assertThat(Day.perSecond(at)).isLessThan(Day.POD_PER_SECOND);
        }
        assertThat(Day.nightPodHours()).isBetween(1.86, 1.87);
    }
}
