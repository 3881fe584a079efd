/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each round takes two seconds of the clock here. */
class RoundsTests {

    private static final Work DRAIN = new Work.Drain(5_000, 100_000, 100, 30, Work.Handler.NOTHING, false);

    private final List<Integer> sizes = new ArrayList<>();
    private long now;

    @Test
    void warmsUpUntilTheFigureIsFlat() throws Exception {
        Rounds rounds = rounds(DRAIN, 5_000, 20_000, 40_000, 40_100, 40_000);

        assertThat(rounds.warmUp(20)).isEqualTo(new WarmUp(5, 10, true));
        assertThat(sizes).containsExactly(5_000, 10_000, 40_000, 80_000, 80_000);
    }

    @Test
    void goesOnUntilHalfOfTheTimeHasPassedThoughTheFigureIsFlat() throws Exception {
        Rounds rounds = rounds(DRAIN, 100, 100, 100, 100, 100, 100);

        assertThat(rounds.warmUp(20)).isEqualTo(new WarmUp(5, 10, true));
    }

    @Test
    void endsTheWarmUpWhenItsTimeHasPassedAndReportsThat() throws Exception {
        Rounds rounds = rounds(DRAIN, 1_000, 2_000, 4_000);

        assertThat(rounds.warmUp(6)).isEqualTo(new WarmUp(3, 6, false));
    }

    @Test
    void measuresWithTheSizeOfTwoSecondsAndNeverMoreThanTheWorkHas() throws Exception {
        Rounds rounds = rounds(DRAIN, 90_000, 90_000, 90_000, 1, 2, 3);
        WarmUp warmUp = rounds.warmUp(6);

        assertThat(rounds.measure(3)).extracting(Round::perSecond).containsExactly(1.0, 2.0, 3.0);
        assertThat(warmUp).isNotNull();
        assertThat(sizes.subList(3, 6)).containsExactly(100_000, 100_000, 100_000);
    }

    @Test
    void warmsUpOnceWhereTimeDoesNotDetermineTheSpeed() throws Exception {
        Rounds rounds = rounds(DRAIN, 10, 10);

        assertThat(rounds.warmUp(0)).isNull();
        assertThat(rounds.measure(1)).hasSize(1);
        assertThat(sizes).containsExactly(5_000, 100_000);
    }

    @Test
    void startsColdWithoutAWarmUp() throws Exception {
        Work cold = new Work.Drain(0, 30_000, 100, 30, Work.Handler.NOTHING, false);
        Rounds rounds = rounds(cold, 10);

        assertThat(rounds.warmUp(20)).isNull();
        assertThat(rounds.measure(1)).hasSize(1);
        assertThat(sizes).containsExactly(30_000);
    }

    @Test
    void endsWithARoundThatDoesNotFinish() throws Exception {
        Rounds rounds = new Rounds(DRAIN, messages -> round(messages - 1, 10), () -> 0);

        assertThat(rounds.measure(3)).hasSize(1);
    }

    private Rounds rounds(Work work, double... perSecond) {
        Iterator<Double> figures = Arrays.stream(perSecond).boxed().toList().iterator();
        return new Rounds(
                work,
                messages -> {
                    sizes.add(messages);
                    now += 2_000_000_000L;
                    return round(messages, figures.next());
                },
                () -> now);
    }

    private static Round round(int messages, double perSecond) {
        return new Round(messages, 2, perSecond, 0, 0, 0, Map.of(), 0, 0, 0, 0);
    }
}
