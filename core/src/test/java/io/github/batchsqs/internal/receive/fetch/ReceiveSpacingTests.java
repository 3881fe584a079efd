/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReceiveSpacingTests {

    private static final String A = "a";
    private static final String B = "b";
    private static final long MILLI = Duration.ofMillis(1).toNanos();
    private static final long AGE = 5 * MILLI;

    private long now = -40 * MILLI;
    private final ReceiveSpacing spacing = new ReceiveSpacing(true, now);

    @Test
    void receivesBeginTwentyMillisecondsApartAtALowRate() {
        arrive(200);
        assertThat(begin(A, now)).isZero();
        pass(Duration.ofMillis(12));
        spacing.succeeded(2, 10, AGE, 0, now);
        assertThat(begin(A, now)).isEqualTo(8 * MILLI);
        pass(Duration.ofMillis(8));
        assertThat(begin(A, now)).isZero();
    }

    @Test
    void receivesBeginEightMessagesApartAtAHigherRate() {
        arrive(1_000);
        assertThat(restAfterBegin()).isEqualTo(8 * MILLI);
        arrive(4_000);
        assertThat(restAfterBegin()).isEqualTo(2 * MILLI);
    }

    @Test
    void fewerThanAHundredMessagesASecondAreNotWorthADelay() {
        arrive(90);
        assertThat(restAfterBegin()).isZero();
        arrive(100);
        assertThat(restAfterBegin()).isEqualTo(ReceiveSpacing.LONGEST);
    }

    @Test
    void nobodyRestsBeforeTheRateIsKnown() {
        spacing.succeeded(9, 10, AGE, 0, now);
        assertThat(restAfterBegin()).isZero();
    }

    @Test
    void fullResponsesHalveTheRestAndThreeInARowEndIt() {
        arrive(200);
        spacing.succeeded(10, 10, ReceiveSpacing.UNKNOWN_AGE, 0, now);
        assertThat(restAfterBegin()).isEqualTo(ReceiveSpacing.LONGEST / 2);
        spacing.succeeded(10, 10, ReceiveSpacing.UNKNOWN_AGE, 0, now);
        assertThat(restAfterBegin()).isEqualTo(ReceiveSpacing.LONGEST / 4);
        for (int i = 0; i < 100; i++) {
            spacing.succeeded(3, 3, ReceiveSpacing.UNKNOWN_AGE, 0, now);
            assertThat(restAfterBegin()).isZero();
        }
        spacing.succeeded(9, 10, AGE, 0, now);
        assertThat(restAfterBegin()).isEqualTo(ReceiveSpacing.LONGEST);
    }

    @Test
    void shortResponsesOfABacklogEndTheRest() {
        arrive(200);
        spacing.succeeded(4, 10, AGE + 49 * MILLI, 0, now);
        assertThat(restAfterBegin()).isPositive();
        spacing.succeeded(4, 10, ReceiveSpacing.UNKNOWN_AGE, 0, now);
        assertThat(restAfterBegin()).isZero();
        spacing.succeeded(4, 10, AGE + 51 * MILLI, 0, now);
        assertThat(restAfterBegin()).isZero();
        assertThat(spacing.isBehind()).isTrue();
    }

    @Test
    void aLateMessageEndsAllRestsForASecondAndAnotherOneSoonAfterForTwo() {
        pass(Duration.ofSeconds(10));
        arrive(200);
        spacing.succeeded(4, 10, AGE + 51 * MILLI, 0, now);
        long late = now;
        arrive(200);
        assertThat(spacing.isBehind()).isFalse();
        assertThat(restAfterBegin()).isPositive();
        assertThat(now - late).isGreaterThanOrEqualTo(ReceiveSpacing.SHORTEST_RECOVERY);

        spacing.succeeded(4, 10, AGE + 51 * MILLI, 0, now);
        arrive(200);
        assertThat(restAfterBegin()).isZero();
        arrive(200);
        assertThat(restAfterBegin()).isPositive();
    }

    @Test
    void agesMayVaryByARoundTrip() {
        arrive(200);
        spacing.succeeded(4, 10, AGE + 100 * MILLI, 100 * MILLI, now);
        assertThat(restAfterBegin()).isPositive();
    }

    @Test
    void oneFullResponseMayBeChanceWhileReceivesAreSpaced() {
        assertThat(spacing.mayBeChance(now)).isFalse();
        arrive(200);
        spacing.succeeded(10, 10, ReceiveSpacing.UNKNOWN_AGE, 0, now);
        assertThat(spacing.mayBeChance(now)).isTrue();
        spacing.succeeded(10, 10, ReceiveSpacing.UNKNOWN_AGE, 0, now);
        assertThat(spacing.mayBeChance(now)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(longs = {-900, 900})
    void aClockThatIsALittleWrongDoesNotMatter(long skew) {
        arrive(200, skew * MILLI);
        assertThat(restAfterBegin()).isPositive();
    }

    @ParameterizedTest
    @ValueSource(longs = {-2_000, 2_000})
    void nobodyRestsByAClockThatIsVeryWrong(long skew) {
        arrive(200, skew * MILLI);
        assertThat(restAfterBegin()).isZero();
    }

    @Test
    void anAdjustedClockIsForgotten() {
        arrive(200, 0);
        arrive(200, 200 * MILLI);
        assertThat(restAfterBegin()).isZero();
        for (int second = 0; second < 16; second++) {
            arrive(200, 200 * MILLI);
        }
        assertThat(restAfterBegin()).isPositive();
    }

    @Test
    void anEmptyResponseChangesNothing() {
        arrive(200);
        spacing.succeeded(0, 10, ReceiveSpacing.UNKNOWN_AGE, 0, now);
        assertThat(restAfterBegin()).isPositive();
    }

    @Test
    void oneOfTheRestingPollersIsNoSurplus() {
        arrive(200);
        assertThat(begin(A, now)).isZero();
        assertThat(begin(A, now)).isPositive();
        assertThat(spacing.isSurplus(A)).isFalse();
        assertThat(begin(B, now)).isPositive();
        assertThat(spacing.isSurplus(B)).isTrue();
        spacing.retired(A);
        assertThat(begin(B, now)).isPositive();
        assertThat(spacing.isSurplus(B)).isFalse();
        pass(Duration.ofMillis(20));
        assertThat(begin(B, now)).isZero();
        assertThat(begin(A, now)).isPositive();
        assertThat(spacing.isSurplus(A)).isFalse();
    }

    /** Begins a receive when it may, and returns the rest before the next one. */
    private long restAfterBegin() {
        for (long rest = begin(A, now); rest > 0; rest = begin(A, now)) {
            now += rest;
        }
        return begin(A, now);
    }

    private void arrive(int perSecond) {
        arrive(perSecond, 0);
    }

    /** A second of short responses. */
    private void arrive(int perSecond, long skew) {
        long end = now + 1_000 * MILLI;
        long arrived = 0;
        for (long from = now; now < end; ) {
            now += MILLI;
            long messages = perSecond * (now - from) / (1_000 * MILLI) - arrived;
            if (messages > 0) {
                arrived += messages;
                spacing.succeeded((int) messages, 10, AGE + skew, 0, now);
            }
        }
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    /** Begins a receive and returns 0, or returns for how long the poller rests. */
    private long begin(String poller, long at) {
        long rest = spacing.rest(poller, at);
        if (rest <= 0) {
            spacing.begin(poller, at);
        }
        return Math.max(0, rest);
    }
}
