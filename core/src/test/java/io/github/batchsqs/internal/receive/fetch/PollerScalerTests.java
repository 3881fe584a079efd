/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import static io.github.batchsqs.internal.receive.fetch.ReceiveSpacing.UNKNOWN_AGE;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PollerScalerTests {

    private static final long ROUND_TRIP = Duration.ofMillis(10).toNanos();
    private static final long LONG_POLL = Duration.ofSeconds(7).toNanos();

    private final PollerScaler scaler = new PollerScaler(1, 4, false);

    @Test
    void eachFullAnswerAddsOneUpToTheMost() {
        for (int expected : new int[] {2, 3, 4, 4}) {
            assertThat(scaler.succeeded(10, 10, ROUND_TRIP, UNKNOWN_AGE, true)).isEqualTo(expected);
        }
    }

    @Test
    void aFullAnswerToASmallQuestionIsFullToo() {
        assertThat(scaler.succeeded(3, 3, ROUND_TRIP, UNKNOWN_AGE, true)).isEqualTo(2);
    }

    @Test
    void aFullAnswerAddsNoneThatWouldFindNoPermits() {
        assertThat(scaler.succeeded(10, 10, ROUND_TRIP, UNKNOWN_AGE, false)).isEqualTo(1);
    }

    @Test
    void eachEmptyAnswerRetiresOneDownToTheLeast() {
        full(3);
        for (int expected : new int[] {3, 2, 1, 1}) {
            assertThat(scaler.succeeded(0, 10, LONG_POLL, UNKNOWN_AGE, true)).isEqualTo(expected);
        }
    }

    @Test
    void aShortAnswerThatHadToWaitRetiresOne() {
        full(2);
        assertThat(scaler.succeeded(1, 10, LONG_POLL, UNKNOWN_AGE, true)).isEqualTo(2);
    }

    @Test
    void aShortAnswerChangesNothingWhileTheRoundTripIsUnknown() {
        PollerScaler fixed = new PollerScaler(1, 4, false);
        fixed.setBounds(3, 4);
        fixed.setBounds(1, 4);
        assertThat(fixed.succeeded(1, 10, LONG_POLL, UNKNOWN_AGE, true)).isEqualTo(3);
    }

    @Test
    void withAPaceEveryShortAnswerRetiresOneAndAFullOneStillAddsOne() {
        var paced = new PollerScaler(1, 8, true);
        for (int i = 0; i < 3; i++) {
            assertThat(paced.succeeded(10, 10, 1, UNKNOWN_AGE, true)).isEqualTo(2 + i);
        }
        assertThat(paced.succeeded(9, 10, 1, UNKNOWN_AGE, true)).isEqualTo(3);
        assertThat(paced.succeeded(1, 10, 1, UNKNOWN_AGE, true)).isEqualTo(2);
        assertThat(paced.succeeded(1, 10, 1, UNKNOWN_AGE, true)).isEqualTo(1);
        assertThat(paced.succeeded(1, 10, 1, UNKNOWN_AGE, true)).isEqualTo(1);
    }

    @Test
    void theRoundTripHasNoWaitsForMessages() {
        scaler.succeeded(10, 10, 800, 800, true);
        scaler.succeeded(10, 10, 1_600, 1_599, true);
        assertThat(scaler.roundTrip()).isEqualTo(800);
    }

    @Test
    void newBoundsHoldAtOnce() {
        full(3);
        assertThat(scaler.setBounds(1, 2)).isEqualTo(2);
        assertThat(scaler.setBounds(6, 9)).isEqualTo(6);
        assertThat(scaler.succeeded(0, 10, LONG_POLL, UNKNOWN_AGE, true)).isEqualTo(6);
    }

    private void full(int answers) {
        for (int i = 0; i < answers; i++) {
            scaler.succeeded(10, 10, ROUND_TRIP, UNKNOWN_AGE, true);
        }
    }
}
