/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RoundTripTests {

    private static final long MILLI = Duration.ofMillis(1).toNanos();
    private static final long LONG_POLL = Duration.ofSeconds(7).toNanos();

    private final RoundTrip roundTrip = new RoundTrip();

    @Test
    void followsFullResponsesSmoothed() {
        responses(800, 1_600);
        assertThat(roundTrip.nanos()).isEqualTo(825);
        responses(505);
        assertThat(roundTrip.nanos()).isEqualTo(815);
    }

    /** The durations that AWS publishes: a median of 20 ms, a 99th percentile of 200 ms, and so a mean of 32.6 ms. */
    @Test
    void isNearTheMeanOfDurationsThatSpread() {
        Random random = new Random(1);
        double estimates = 0;
        int count = 100_000;
        for (int i = 0; i < count; i++) {
            double millis = 20 * StrictMath.exp(StrictMath.log(10) / 2.326 * random.nextGaussian());
            long took = Math.round(millis * MILLI);
            roundTrip.fullResponse(took, 2 * took);
            estimates += roundTrip.nanos();
        }
        assertThat(estimates / count / MILLI).isCloseTo(32.6, within(3.3));
    }

    @Test
    void isReplacedByTheThirdShortResponseAfterOneThatHadWaited() {
        responses(LONG_POLL, 9 * MILLI, 10 * MILLI);
        assertThat(roundTrip.nanos()).isGreaterThan(LONG_POLL / 2);
        responses(11 * MILLI);
        assertThat(roundTrip.nanos()).isEqualTo(10 * MILLI);
    }

    @Test
    void ignoresSingleResponsesThatHadWaited() {
        responses(10 * MILLI);
        for (int i = 0; i < 10; i++) {
            responses(LONG_POLL, LONG_POLL);
            assertThat(roundTrip.nanos()).isEqualTo(10 * MILLI);
            responses(10 * MILLI);
        }
    }

    @Test
    void isReplacedByThreeLongResponsesInARow() {
        responses(10 * MILLI, 160 * MILLI, 170 * MILLI, 180 * MILLI);
        assertThat(roundTrip.nanos()).isEqualTo(170 * MILLI);
    }

    @Test
    void isNotReplacedByResponsesFarAboveAndFarBelow() {
        responses(800, 10_000, 10_000, 80);
        assertThat(roundTrip.nanos()).isEqualTo(778);
        responses(80, 800, 80, 80);
        assertThat(roundTrip.nanos()).isBetween(700L, 730L);
    }

    @Test
    void beginsToCountAnewAfterItWasReplaced() {
        responses(LONG_POLL, 800, 800, 800, 80, 80);
        assertThat(roundTrip.nanos()).isBetween(750L, 760L);
        responses(80);
        assertThat(roundTrip.nanos()).isEqualTo(80);
    }

    @Test
    void hasNoWaitsOnceOneResponseHasNotWaited() {
        responsesOfNewMessages(60 * MILLI, 70 * MILLI + 1);
        assertThat(roundTrip.nanos()).isGreaterThan(60 * MILLI);
        responses(20 * MILLI);
        assertThat(roundTrip.nanos()).isEqualTo(20 * MILLI);
        for (int i = 0; i < 100; i++) {
            responsesOfNewMessages(60 * MILLI, 70 * MILLI + 1, LONG_POLL);
        }
        assertThat(roundTrip.nanos()).isEqualTo(20 * MILLI);
    }

    /** Messages that were delayed, or that returned to the queue, are older than the receive that has waited for them. */
    @Test
    void isReplacedByShortResponsesEvenIfTheyMayHaveWaited() {
        responses(LONG_POLL);
        responsesOfNewMessages(9 * MILLI, 10 * MILLI, 11 * MILLI);
        assertThat(roundTrip.nanos()).isEqualTo(10 * MILLI);
    }

    @Test
    void isAGuessWhileAllMessagesSeemNewerThanTheReceive() {
        responsesOfNewMessages(LONG_POLL, 10 * MILLI, 10 * MILLI, 10 * MILLI, 42 * MILLI);
        assertThat(roundTrip.nanos()).isEqualTo(11 * MILLI);
    }

    @Test
    void recognizesWaitsByTheirDuration() {
        responses(20 * MILLI);
        assertThat(roundTrip.waited(80 * MILLI)).isFalse();
        assertThat(roundTrip.waited(81 * MILLI)).isTrue();
    }

    @Test
    void recognizesNoWaitBelowFiftyMillis() {
        responses(MILLI);
        assertThat(roundTrip.waited(50 * MILLI)).isFalse();
        assertThat(roundTrip.waited(51 * MILLI)).isTrue();
    }

    /** Responses that have not waited, as far as anybody knows. */
    private void responses(long... took) {
        for (long nanos : took) {
            roundTrip.fullResponse(nanos, nanos);
        }
    }

    /** Responses that may have waited: their messages are younger than the receive, or of unknown age. */
    private void responsesOfNewMessages(long... took) {
        for (long nanos : took) {
            roundTrip.fullResponse(nanos, nanos % 2 == 0 ? nanos - 1 : ReceiveSpacing.UNKNOWN_AGE);
        }
    }
}
