/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each round takes two seconds of the clock here, unless a test says otherwise. */
class RoundsTests {

    private static final Work DRAIN = new Work.Drain(5_000, 100_000, 100, 30, Work.Handler.NOTHING, false);

    private final List<Integer> sizes = new ArrayList<>();
    private long roundNanos = 2_000_000_000L;
    private long now;

    @Test
    void warmsUpUntilTheFigureIsFlat() throws Exception {
        Rounds rounds = rounds(DRAIN, 5_000, 20_000, 40_000, 40_100, 40_000);

        assertThat(rounds.warmUp(10)).isEqualTo(new WarmUp(5, 10, true));
        assertThat(sizes).containsExactly(5_000, 10_000, 40_000, 80_000, 80_000);
    }

    @Test
    void goesOnUntilHalfOfTheRoundsAreDoneThoughTheFigureIsFlat() throws Exception {
        Rounds rounds = rounds(DRAIN, 100, 100, 100, 100, 100, 100);

        assertThat(rounds.warmUp(10)).isEqualTo(new WarmUp(5, 10, true));
    }

    @Test
    void endsTheWarmUpAfterItsLastRoundAndReportsThat() throws Exception {
        Rounds rounds = rounds(DRAIN, 1_000, 2_000, 4_000);

        assertThat(rounds.warmUp(3)).isEqualTo(new WarmUp(3, 6, false));
    }

    @Test
    void aSlowMachineHasAsManyRoundsOfWarmUpAsAFastOne() throws Exception {
        roundNanos = 60_000_000_000L;
        Rounds rounds = rounds(DRAIN, 1_000, 2_000, 4_000, 4_000, 4_000);

        assertThat(rounds.warmUp(10)).isEqualTo(new WarmUp(5, 300, true));
    }

    @Test
    void measuresWithTheSizeOfTwoSecondsAndNeverMoreThanTheWorkHas() throws Exception {
        Rounds rounds = rounds(DRAIN, 90_000, 90_000, 90_000, 1, 2);
        WarmUp warmUp = rounds.warmUp(3);

        assertThat(rounds.measure().perSecond()).isOne();
        assertThat(rounds.measure().perSecond()).isEqualTo(2);
        assertThat(warmUp).isNotNull();
        assertThat(sizes.subList(3, 5)).containsExactly(100_000, 100_000);
    }

    @Test
    void wakesWithATenthOfARound() throws Exception {
        Rounds rounds = rounds(DRAIN, 10_000, 10_000);
        WarmUp warmUp = rounds.warmUp(1);

        rounds.wake();

        assertThat(warmUp).isNotNull();
        assertThat(sizes).containsExactly(5_000, 2_000);
    }

    @Test
    void warmsUpOnceWhereTimeDoesNotDetermineTheSpeed() throws Exception {
        Rounds rounds = rounds(DRAIN, 10, 10);

        assertThat(rounds.warmUp(0)).isNull();
        assertThat(rounds.measure().perSecond()).isEqualTo(10);
        assertThat(sizes).containsExactly(5_000, 100_000);
    }

    @Test
    void startsColdWithoutAWarmUp() throws Exception {
        Work cold = new Work.Drain(0, 30_000, 100, 30, Work.Handler.NOTHING, false);
        Rounds rounds = rounds(cold, 10);

        assertThat(rounds.warmUp(20)).isNull();
        assertThat(rounds.measure().perSecond()).isEqualTo(10);
        assertThat(sizes).containsExactly(30_000);
    }

    private Rounds rounds(Work work, double... perSecond) {
        Iterator<Double> figures = Arrays.stream(perSecond).boxed().toList().iterator();
        return new Rounds(
                work,
                messages -> {
                    sizes.add(messages);
                    now += roundNanos;
                    return round(messages, figures.next());
                },
                () -> now);
    }

    private static Round round(int messages, double perSecond) {
        return new Round(messages, 2, perSecond, 0, 0, 0, Map.of(), 0, 0, 0, 0, null);
    }
}
