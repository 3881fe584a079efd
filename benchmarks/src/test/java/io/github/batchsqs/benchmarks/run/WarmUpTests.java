/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class WarmUpTests {

    @Test
    void isFlatWhenTheLastThreeRoundsAreWithinFivePercent() {
        assertThat(WarmUp.isFlat(List.of(10_000.0, 40_000.0, 41_500.0, 40_500.0)))
                .isTrue();
    }

    @Test
    void isNotFlatWhenOneOfTheLastThreeIsFurtherOff() {
        assertThat(WarmUp.isFlat(List.of(40_000.0, 40_000.0, 42_100.0))).isFalse();
    }

    @Test
    void isNotFlatWhileTheFigureStillRises() {
        assertThat(WarmUp.isFlat(List.of(40_000.0, 40_500.0, 41_000.0))).isFalse();
    }

    @Test
    void isFlatWhenTheFigureFalls() {
        assertThat(WarmUp.isFlat(List.of(41_000.0, 40_500.0, 40_000.0))).isTrue();
    }

    @Test
    void needsThreeRounds() {
        assertThat(WarmUp.isFlat(List.of(40_000.0, 40_000.0))).isFalse();
    }
}
