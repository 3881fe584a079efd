/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import static io.github.batchsqs.internal.receive.invoke.SimulatedListeners.MAX;
import static io.github.batchsqs.internal.receive.invoke.SimulatedListeners.NO_POOL;
import static io.github.batchsqs.internal.receive.invoke.SimulatedListeners.around;
import static io.github.batchsqs.internal.receive.invoke.SimulatedListeners.automatic;
import static io.github.batchsqs.internal.receive.invoke.SimulatedListeners.fixed;
import static io.github.batchsqs.internal.receive.invoke.SimulatedListeners.irregular;
import static io.github.batchsqs.internal.receive.invoke.SimulatedListeners.sinus;
import static io.github.batchsqs.internal.receive.invoke.SimulatedListeners.wandering;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.internal.receive.invoke.SimulatedListeners.Outcome;
import io.github.batchsqs.internal.receive.invoke.SimulatedListeners.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract of {@code concurrency: auto}: it is never worse than the fixed number that it replaces. All in virtual time. */
class AutomaticLimitTests {

    private static final int FIXED = AutomaticLimit.FLOOR;
    private static final int SEEDS = 4;
    private static final long MILLIS = 1_000_000;

    private static final Outcome REFUSING_AFTER_A_MINUTE =
            (now, messages, running, took, random) -> now > 60_000 && now < 90_000 ? messages : 0;

    @ParameterizedTest
    @CsvSource({"200, 16", "16, 16", "5, 5", "1, 1"})
    void startsWithSixteenOrTheMaximum(int max, int expected) {
        assertThat(new AutomaticLimit(max, 0, 0, fall -> {}).limit()).isEqualTo(expected);
    }

    @Nested
    class Alone {

        @ParameterizedTest
        @CsvSource({"20, 0", "20, 0.2", "20, 0.5", "100, 0", "100, 0.2", "100, 0.5", "500, 0", "500, 0.2"})
        void reachesTheBestRateWithinTwentySeconds(double millis, double sigma) {
            for (int seed = 1; seed <= SEEDS; seed++) {
                var handler = automatic(NO_POOL, around(millis, sigma), seed);
                double best = MAX / millis * 1000;
                assertThat(handler.run(20).run(60).rate()).as("seed %s", seed).isGreaterThanOrEqualTo(0.95 * best);
            }
        }

        @ParameterizedTest
        @ValueSource(doubles = {20, 100, 500})
        void reachesTheBestRateThoughLatenciesAreIrregular(double millis) {
            for (int seed = 1; seed <= SEEDS; seed++) {
                var handler = automatic(NO_POOL, irregular(millis), seed);
                double best = MAX / millis * 1000;
                assertThat(handler.run(40).run(60).rate()).as("seed %s", seed).isGreaterThan(0.8 * best);
            }
        }

        @ParameterizedTest
        @ValueSource(doubles = {5, 8, 30})
        void growsThoughInvocationsTakeManySeconds(double seconds) {
            var handler = automatic(NO_POOL, around(1000 * seconds, 0.2), 1);
            assertThat(handler.run(600 * seconds).run(100 * seconds).meanLimit())
                    .isGreaterThan(0.9 * MAX);
        }

        @Test
        void followsTheUsualLatencyThoughOneInvocationHangs() {
            Service service = (now, messages, random) -> now == 0 ? 600_000 : 500;
            var handler = automatic(NO_POOL, service, 1).work(MAX, 2);
            handler.run(602).work(1_000_000, 0);
            assertThat(handler.run(30).run(30).meanLimit()).isGreaterThan(0.9 * MAX);
        }

        @Test
        void staysWhileItIsNotUsed() {
            var handler = automatic(NO_POOL, around(20, 0.2), 1).work(0, 400);
            assertThat(handler.run(120).highest()).isEqualTo(FIXED);
        }

        @Test
        void neverPassesItsMaximum() {
            var limit = new AutomaticLimit(20, 0, 0, fall -> {});
            for (int round = 1; round < 1_000; round++) {
                for (int i = 0; i < 20; i++) {
                    limit.ended(1, 0, 0, limit.limit(), (round - 1L) * 20 * MILLIS, round * 20L * MILLIS);
                    assertThat(limit.limit()).isBetween(FIXED, 20);
                }
            }
            assertThat(limit.limit()).isEqualTo(20);
        }

        @ParameterizedTest
        @ValueSource(strings = {"per call", "per message"})
        void growsThoughBatchesDiffer(String cost) {
            Service service = (now, messages, random) -> cost.equals("per call") ? 20 : 2 * messages;
            int[] sizes = {1, 100, 10, 100, 1, 100};
            var handler = automatic(NO_POOL, service, 1).batchSizes(batch -> sizes[batch / 500 % sizes.length]);
            assertThat(handler.run(60).run(60).meanLimit()).isGreaterThan(0.9 * MAX);
        }
    }

    @Nested
    class Refusals {

        @ParameterizedTest
        @CsvSource({
            "0.002, 1, false", "0.01, 1, false", "0.05, 1, false",
            "0.002, 10, false", "0.01, 10, false", "0.05, 10, false",
            "0.002, 10, true", "0.01, 10, true", "0.05, 10, true"
        })
        void ofASmallConstantPartDoNotMatter(double part, int batch, boolean wholeBatch) {
            Outcome refusing = (now, messages, running, took, random) -> {
                int refused = refused(messages, part, random);
                return wholeBatch && refused > 0 ? messages : refused;
            };
            for (int seed = 1; seed <= SEEDS; seed++) {
                double rate = automatic(NO_POOL, around(100, 0.2), seed)
                        .batchSizes(any -> batch)
                        .outcome(refusing)
                        .run(60)
                        .rate();
                assertThat(rate).as("seed %s", seed).isGreaterThan(0.9 * FIXED / 0.1);
            }
        }

        @ParameterizedTest
        @CsvSource({"20, false", "20, true", "100, false", "100, true", "500, false", "500, true"})
        void forThirtySecondsNeverLowerItBelowTheFixedNumberAndAreOverInAsManySeconds(double millis, boolean fast) {
            Service usual = around(millis, 0.2);
            Service service = (now, messages, random) ->
                    fast && now > 60_000 && now < 90_000 ? 1 : usual.millis(now, messages, random);
            for (int seed = 1; seed <= SEEDS; seed++) {
                var handler = automatic(NO_POOL, service, seed).outcome(REFUSING_AFTER_A_MINUTE);
                double before = handler.run(30).run(30).meanLimit();
                assertThat(handler.run(30).lowest()).as("seed %s", seed).isEqualTo(FIXED);
                assertThat(handler.falls().getLast()).contains("% of the messages failed by an overload");
                handler.run(30);
                assertThat(handler.run(30).meanLimit()).as("seed %s", seed).isGreaterThan(0.9 * before);
            }
        }

        @ParameterizedTest
        @ValueSource(ints = {20, 30, 60})
        void beyondANumberHoldItThere(int permitted) {
            var handler = automatic(NO_POOL, around(20, 0.2), 1)
                    .outcome((now, messages, running, took, random) -> running > permitted ? messages : 0)
                    .run(30)
                    .run(300);
            assertThat(handler.meanLimit()).isBetween((double) FIXED, 1.05 * permitted);
            assertThat(handler.refused() / (handler.rate() * 300)).isLessThan(0.003);
        }

        /** A trial of more would only be refused. */
        @ParameterizedTest
        @ValueSource(doubles = {20, 500})
        void atTheFixedNumberHaveNoTrials(double millis) {
            var handler = automatic(NO_POOL, around(millis, 0.2), 1)
                    .outcome((now, messages, running, took, random) -> running > 10 ? messages : 0)
                    .run(30)
                    .run(300);
            assertThat(handler.meanLimit()).isBetween((double) FIXED, 1.1 * FIXED);
        }

        @Test
        void byAnExecutorLowerItBelowTheFixedNumber() {
            List<String> falls = new ArrayList<>();
            var limit = new AutomaticLimit(MAX, 0, 0, falls::add);
            for (int i = 0; i < 10; i++) {
                limit.refused(TimeUnit.SECONDS.toNanos(2L * i));
            }
            assertThat(limit.limit()).isOne();
            assertThat(falls.getLast()).endsWith("the executor refused a batch");
            for (int second = 20; second < 26; second++) {
                limit.tick(TimeUnit.SECONDS.toNanos(second));
            }
            assertThat(limit.limit()).isEqualTo(FIXED);
        }

        @Test
        void byAnExecutorCountOnceInASecondBelowTheFixedNumber() {
            var limit = new AutomaticLimit(MAX, 0, 0, fall -> {});
            for (int i = 0; i < 10; i++) {
                limit.refused(i * MILLIS);
            }
            assertThat(limit.limit()).isEqualTo(FIXED / 2);
        }
    }

    @Nested
    class Wandering {

        @ParameterizedTest
        @CsvSource({
            "0.2, 0.2",
            "0.4, 0.2",
            "0.2, 1",
            "0.4, 1",
            "0.2, 5",
            "0.4, 5",
            "0.2, 20",
            "0.4, 20",
            "0.2, 60",
            "0.4, 60"
        })
        void latencyOfEverybodyIsNoReason(double sigma, double seconds) {
            for (int seed = 1; seed <= SEEDS; seed++) {
                isNotWorse(wandering(around(100, 0.2), sigma, seconds, seed), seed);
            }
        }

        @ParameterizedTest
        @ValueSource(doubles = {0.2, 0.4, 1, 5, 20, 60})
        void latencyInWavesIsNoReason(double seconds) {
            for (int seed = 1; seed <= SEEDS; seed++) {
                isNotWorse(sinus(around(100, 0.2), 0.4, seconds), seed);
            }
        }

        private void isNotWorse(Service service, int seed) {
            double number = fixed(1, FIXED, NO_POOL, service, seed).run(120).rate();
            var handler = automatic(NO_POOL, service, seed).run(120);
            assertThat(handler.rate()).as("seed %s", seed).isGreaterThan(0.9 * number);
            assertThat(handler.lowest()).isEqualTo(FIXED);
        }
    }

    @Nested
    class Saturated {

        @ParameterizedTest
        @ValueSource(doubles = {0, 0.2, 0.5})
        void poolOfTenHasTwiceItsBestLatencyAtMost(double sigma) {
            for (int seed = 1; seed <= SEEDS; seed++) {
                var handler = automatic(10, around(20, sigma), seed).run(20).run(300);
                assertThat(handler.median()).as("seed %s", seed).isLessThanOrEqualTo(2 * 20);
                assertThat(handler.rate()).as("seed %s", seed).isGreaterThan(0.98 * 500);
            }
        }

        @Test
        void poolOfTenDoesNotCreepUpward() {
            assertThat(automatic(10, around(20, 0.2), 1).run(60).run(3600).meanLimit())
                    .isLessThan(1.1 * FIXED);
        }

        @ParameterizedTest
        @ValueSource(ints = {20, 50, 100})
        void poolBeyondTheFixedNumberIsUsed(int pool) {
            var handler = automatic(pool, around(20, 0.2), 1).run(60).run(120);
            assertThat(handler.rate()).isGreaterThan(0.85 * pool * 50);
            assertThat(handler.median()).isLessThan(1.5 * 20);
        }

        @Test
        void poolThatShrinksIsFollowed() {
            double[] free = {0};
            Service shrinking = (now, messages, random) -> {
                if (now < 30_000) {
                    return 20;
                }
                free[0] = Math.max(free[0], now) + 2; // one server of 2 ms, which is a pool of ten of 20 ms
                return Math.max(20, free[0] - now);
            };
            var handler = automatic(NO_POOL, shrinking, 1).run(30);
            assertThat(handler.meanLimit()).isGreaterThan(100);
            handler.run(90);
            assertThat(handler.run(60).median()).isLessThan(2 * 20);
            assertThat(handler.falls().getLast()).contains("invocations only wait for one another beyond");
        }

        @ParameterizedTest
        @CsvSource({"2, 0", "2, 3000", "2, 120000", "4, 3000", "8, 3000", "16, 0", "16, 3000"})
        void bySeveralListenersHasTwiceTheirFixedNumbersInSumAtMost(int listeners, double startWithin) {
            for (int seed = 1; seed <= SEEDS; seed++) {
                var pool = automatic(listeners, 10, startWithin, 5, around(20, 0.2), seed);
                double sum = pool.run(180).run(600).meanLimit();
                assertThat(sum).as("seed %s", seed).isLessThanOrEqualTo(2.0 * FIXED * listeners);
            }
        }

        @ParameterizedTest
        @ValueSource(doubles = {5, 20, 100, 1000})
        void byHandlersThatComputeItStaysAtTheFixedNumberButForTrials(double millis) {
            for (int seed = 1; seed <= SEEDS; seed++) {
                var handler =
                        automatic(2, around(millis, 0.2), seed).run(400).run(1_000); // after the first trial of twice
                assertThat(handler.meanLimit()).as("seed %s", seed).isBetween(16.0, 17.0);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {500, 3_000, 12_000})
    void followsAStepForGoodWithinThirtySeconds(double messagesPerSecond) {
        Service step = (now, messages, random) ->
                (now < 60_000 ? 1 : 170) * around(1, 0.2).millis(now, messages, random);
        for (int seed = 1; seed <= SEEDS; seed++) {
            var handler =
                    automatic(NO_POOL, step, seed).work(0, messagesPerSecond).run(60);
            handler.work(Double.POSITIVE_INFINITY, 0).run(30);
            assertThat(handler.run(60).rate()).as("seed %s", seed).isGreaterThan(0.9 * MAX / 0.17);
        }
    }

    private static int refused(int messages, double part, Random random) {
        int refused = 0;
        for (int i = 0; i < messages; i++) {
            refused += random.nextDouble() < part ? 1 : 0;
        }
        return refused;
    }
}
