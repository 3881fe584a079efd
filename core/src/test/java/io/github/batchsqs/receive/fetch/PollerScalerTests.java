/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PollerScalerTests {

    private static final long ROUND_TRIP = Duration.ofMillis(10).toNanos();
    private static final long LONG_POLL = Duration.ofSeconds(7).toNanos();

    private final PollerScaler scaler = new PollerScaler(1, 4, false);

    @Test
    void startsWithTheLeast() {
        assertThat(scaler.pollers()).isEqualTo(1);
        assertThat(scaler.roundTrip()).isZero();
    }

    @Test
    void eachFullAnswerAddsOneUpToTheMost() {
        for (int expected : new int[] {2, 3, 4, 4}) {
            assertThat(scaler.succeeded(10, 10, ROUND_TRIP, true)).isEqualTo(expected);
        }
    }

    @Test
    void aFullAnswerToASmallQuestionIsFullToo() {
        assertThat(scaler.succeeded(3, 3, ROUND_TRIP, true)).isEqualTo(2);
    }

    @Test
    void aFullAnswerAddsNoneThatWouldFindNoPermits() {
        assertThat(scaler.succeeded(10, 10, ROUND_TRIP, false)).isEqualTo(1);
    }

    @Test
    void eachEmptyAnswerRetiresOneDownToTheLeast() {
        full(3);
        for (int expected : new int[] {3, 2, 1, 1}) {
            assertThat(scaler.succeeded(0, 10, LONG_POLL, true)).isEqualTo(expected);
        }
    }

    @Test
    void aShortAnswerThatCameAtOnceChangesNothing() {
        full(2);
        assertThat(scaler.succeeded(4, 10, ROUND_TRIP, true)).isEqualTo(3);
    }

    @Test
    void aShortAnswerThatHadToWaitRetiresOne() {
        full(2);
        assertThat(scaler.succeeded(1, 10, LONG_POLL, true)).isEqualTo(2);
    }

    @Test
    void aShortAnswerChangesNothingWhileTheRoundTripIsUnknown() {
        PollerScaler fixed = new PollerScaler(1, 4, false);
        fixed.setBounds(3, 4);
        fixed.setBounds(1, 4);
        assertThat(fixed.succeeded(1, 10, LONG_POLL, true)).isEqualTo(3);
    }

    @Test
    void withAPaceEveryShortAnswerRetiresOneAndAFullOneStillAddsOne() {
        var paced = new PollerScaler(1, 8, true);
        for (int i = 0; i < 3; i++) {
            assertThat(paced.succeeded(10, 10, 1, true)).isEqualTo(2 + i);
        }
        assertThat(paced.succeeded(9, 10, 1, true)).isEqualTo(3);
        assertThat(paced.succeeded(1, 10, 1, true)).isEqualTo(2);
        assertThat(paced.succeeded(1, 10, 1, true)).isEqualTo(1);
        assertThat(paced.succeeded(1, 10, 1, true)).isEqualTo(1);
    }

    @Test
    void theRoundTripIsThatOfFullAnswersSmoothed() {
        scaler.succeeded(10, 10, 800, true);
        scaler.succeeded(2, 10, LONG_POLL, true);
        assertThat(scaler.roundTrip()).isEqualTo(800);
        scaler.succeeded(10, 10, 1_600, true);
        assertThat(scaler.roundTrip()).isEqualTo(900);
    }

    @Test
    void aRoundTripOfLessThanHalfCountsAtOnceBecauseThoseBeforeHadWaited() {
        scaler.succeeded(10, 10, LONG_POLL, true);
        scaler.succeeded(10, 10, ROUND_TRIP, true);
        assertThat(scaler.roundTrip()).isEqualTo(ROUND_TRIP);
    }

    @Test
    void newBoundsHoldAtOnce() {
        full(3);
        assertThat(scaler.setBounds(1, 2)).isEqualTo(2);
        assertThat(scaler.setBounds(6, 9)).isEqualTo(6);
        assertThat(scaler.succeeded(0, 10, LONG_POLL, true)).isEqualTo(6);
    }

    private void full(int answers) {
        for (int i = 0; i < answers; i++) {
            scaler.succeeded(10, 10, ROUND_TRIP, true);
        }
    }
}
