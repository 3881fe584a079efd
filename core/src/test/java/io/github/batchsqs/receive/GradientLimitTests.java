/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import static io.github.batchsqs.receive.SimulatedHandler.NO_POOL;
import static io.github.batchsqs.receive.SimulatedHandler.around;
import static io.github.batchsqs.receive.SimulatedHandler.irregular;
import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.receive.SimulatedHandler.Result;
import io.github.batchsqs.receive.SimulatedHandler.Service;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GradientLimitTests {

    private static final int MAX = 200;

    private static final long MILLIS = 1_000_000;
    private static final double AN_HOUR = 3_600_000;

    private static final Service CONSTANT = (now, messages, random) -> 20;

    private static SimulatedHandler handler(int pool, Service service) {
        return new SimulatedHandler(MAX, pool, service);
    }

    @ParameterizedTest
    @CsvSource({"200, 16", "16, 16", "5, 5", "1, 1"})
    void startsWithSixteenOrTheMaximum(int max, int expected) {
        assertThat(new GradientLimit(max, 0).limit()).isEqualTo(expected);
    }

    @Nested
    class Flat {

        @Test
        void growsToTheMaximumWithinTenSeconds() {
            assertThat(handler(NO_POOL, CONSTANT).run(10).limit.limit()).isEqualTo(MAX);
        }

        @Test
        void staysAtTheMaximum() {
            assertThat(handler(NO_POOL, CONSTANT).run(10).run(300).lowest()).isEqualTo(MAX);
        }

        @Test
        void growsThoughLatenciesAreIrregular() {
            var handler = handler(NO_POOL, irregular(20)).run(30).run(300);
            assertThat(handler.meanLimit()).isGreaterThan(0.9 * MAX);
            assertThat(handler.highest()).isEqualTo(MAX);
        }

        @Test
        void growsWithSlowHandlersToo() {
            var handler = handler(NO_POOL, around(10_000)).run(900);
            assertThat(handler.limit.limit()).isGreaterThanOrEqualTo(50);
        }

        @Test
        void neverPassesItsMaximum() {
            var handler = new SimulatedHandler(37, NO_POOL, CONSTANT).run(60);
            assertThat(handler.highest()).isEqualTo(37);
        }

        @Test
        void growsThoughAFewMessagesAreTenTimesAsSlow() {
            var handler = handler(NO_POOL, (now, messages, random) -> random.nextInt(20) == 0 ? 200 : 20);
            assertThat(handler.run(30).limit.limit()).isEqualTo(MAX);
        }
    }

    @Nested
    class Starting {

        @Test
        void passesFiftyWorkersInItsFirstSecondsThoughHandlersAreSlow() {
            var handler = handler(NO_POOL, around(300)).run(12);
            assertThat(handler.limit.limit()).isEqualTo(MAX);
            assertThat(handler.rate()).isGreaterThan(50 / 0.3);
        }

        @ParameterizedTest
        @ValueSource(ints = {17, 20, 33, 40, 65, 100})
        void passesALimitByOneDoublingAtMost(int pool) {
            var handler = handler(pool, around(20)).run(60);
            assertThat(handler.highest()).isLessThanOrEqualTo(2 * pool);
            assertThat(handler.run(60).latency()).isLessThan(2 * 20);
        }

        @ParameterizedTest
        @CsvSource({"10, 200, 4", "20, 200, 4", "50, 200, 4", "10, 60, 4", "20, 60, 4", "50, 60, 4"})
        void passesALimitByAFewTimesForSecondsAfterAColdStart(int pool, int coldMillis, int times) {
            var handler = handler(pool, (now, messages, random) -> now < 1_500 ? coldMillis : 20)
                    .run(30);
            assertThat(handler.highest()).isLessThanOrEqualTo(times * pool);
            assertThat(handler.run(60).latency()).isLessThan(2 * 20);
        }

        @Test
        void doublesNoMoreAfterAnOverload() {
            var handler = handler(NO_POOL, CONSTANT)
                    .results((now, running, took) -> running > 60 && now < 2_000 ? Result.OVERLOADED : Result.DONE);
            for (int second = 0; second < 60; second++) {
                int before = handler.limit.limit();
                handler.run(0.1);
                assertThat(handler.limit.limit() <= 64 || handler.limit.limit() < 1.5 * before)
                        .isTrue();
            }
        }
    }

    /** Each halves only its own part of the load when it probes. */
    @Nested
    class Sharing {

        @ParameterizedTest
        @ValueSource(ints = {2, 3, 4, 8, 16})
        void climbsSlowlyAboveTheFirstLimits(int listeners) {
            var pool = new SharedPool(listeners, MAX, 10, 20).run(660);
            assertThat(pool.limits()).isLessThanOrEqualTo(5 * listeners * GradientLimit.INITIAL / 2);
        }

        @Test
        void twoListenersKeepTheLatencyAsOneDoes() {
            assertThat(new SharedPool(2, MAX, 10, 20).run(60).run(600).latency())
                    .isLessThan(2 * 20);
        }
    }

    @Nested
    class Saturated {

        @ParameterizedTest
        @ValueSource(ints = {1, 2, 4, 10, 50})
        void isNotPushedPastTwiceItsBestLatency(int pool) {
            var handler = handler(pool, CONSTANT).run(20).run(600);
            assertThat(handler.latency()).isLessThan(2 * 20);
            assertThat(handler.highest()).isLessThanOrEqualTo(Math.max(3, 2 * pool));
            assertThat(handler.rate()).isGreaterThan(0.95 * pool * 50);
        }

        @ParameterizedTest
        @ValueSource(ints = {4, 10, 50})
        void isNearItsBestRateThoughServiceTimesAreIrregular(int pool) {
            var handler = handler(pool, irregular(20)).run(20).run(600);
            assertThat(handler.latency()).isLessThan(1.5 * 20);
            assertThat(handler.rate()).isGreaterThan(0.8 * pool * 50);
        }

        @Test
        void doesNotCreepUpward() {
            var handler = handler(10, around(20)).run(60);
            assertThat(handler.run(4 * 3600).highest()).isLessThanOrEqualTo(20);
        }

        @Test
        void isFoundThoughServicesAreSlow() {
            var handler = handler(10, around(1000)).run(600).run(3600);
            assertThat(handler.latency()).isLessThan(2 * 1020);
            assertThat(handler.rate()).isGreaterThan(0.9 * 10);
        }

        @Test
        void isFoundThoughAFewMessagesAreTenTimesAsSlow() {
            var handler = handler(10, (now, messages, random) -> random.nextInt(20) == 0 ? 200 : 20)
                    .run(20)
                    .run(600);
            assertThat(handler.latency()).isLessThan(2 * 29);
            assertThat(handler.rate()).isGreaterThan(0.9 * 10_000 / 29.0);
        }
    }

    @Nested
    class Changing {

        @Test
        void growsAsSoonAsASlowStartIsOver() {
            Service slowStart = (now, messages, random) -> now < 10_000 ? 200 - 18 * now / 1000 : 20;
            assertThat(handler(NO_POOL, slowStart).run(30).limit.limit()).isEqualTo(MAX);
        }

        @Test
        void acceptsThatADependencyBecameSlower() {
            Service slower = (now, messages, random) -> now < 30_000 ? 20 : 100;
            var handler = handler(NO_POOL, slower).run(30);
            assertThat(handler.run(60).limit.limit()).isEqualTo(MAX);
            assertThat(handler.lowest()).as("half for a probe").isEqualTo(MAX / 2);
            assertThat(handler.run(300).meanLimit()).isGreaterThan(0.95 * MAX);
        }

        @Test
        void acceptsThatADependencyBecomesSlowerBitByBit() {
            Service slower = (now, messages, random) -> Math.min(200, 20 + 3 * now / 1000);
            var handler = handler(NO_POOL, slower).run(60).run(300);
            assertThat(handler.meanLimit()).isGreaterThan(0.9 * MAX);
        }

        @Test
        void doesNotTakeSlowMessagesInRowsForAQueue() {
            var calls = new AtomicInteger();
            var handler = handler(NO_POOL, (now, messages, random) -> calls.getAndIncrement() / 200 % 2 == 0 ? 1 : 500)
                    .run(900);
            assertThat(handler.run(1800).meanLimit()).isGreaterThan(50);
        }

        @Test
        void growsFromOneThoughTheLatencyRose() {
            Service slower = (now, messages, random) -> now < 10_000 ? 20 : 100;
            var handler = handler(NO_POOL, slower)
                    .results((now, running, took) -> now > 5_000 && now < 10_000 ? Result.OVERLOADED : Result.DONE)
                    .run(10.5);
            assertThat(handler.limit.limit()).isOne();
            assertThat(handler.run(60).limit.limit()).isEqualTo(MAX);
        }

        @Test
        void recoversFromAGroupOfSlowMessages() {
            Service group = (now, messages, random) -> now > 30_000 && now < 40_000 ? 200 : 20;
            var handler = handler(10, group).run(30).run(30).run(120);
            assertThat(handler.latency()).isLessThan(2 * 20);
            assertThat(handler.rate()).isGreaterThan(0.9 * 500);
        }

        @Test
        void followsAResourceThatShrinks() {
            // 20 ms in a pool of 100 at first, then as many servers as before, of which each takes ten times as long
            double[] slots = {0};
            Service shrinking = (now, messages, random) -> {
                if (now < 30_000) {
                    return 20;
                }
                slots[0] = Math.max(slots[0], now) + 2; // one server of 2 ms, which is a pool of ten of 20 ms
                return Math.max(20, slots[0] - now);
            };
            var handler = handler(NO_POOL, shrinking).run(30).run(30).run(300);
            assertThat(handler.latency()).isLessThan(2 * 20);
            assertThat(handler.rate()).isGreaterThan(0.9 * 500);
        }
    }

    @Nested
    class Unused {

        @Test
        void staysWhileTheHandlerIsIdle() {
            var handler = handler(NO_POOL, CONSTANT).backlog(0);
            for (int i = 0; i < 2_000; i++) {
                handler.backlog(4).run(0.1);
            }
            assertThat(handler.limit.limit()).isEqualTo(GradientLimit.INITIAL);
        }

        @Test
        void learnsNothingFromIdleTimesBetweenBursts() {
            var handler = handler(10, around(20)).run(20);
            for (int i = 0; i < 100; i++) {
                handler.backlog(500).run(10);
                assertThat(handler.limit.limit()).isBetween(1, 20);
                assertThat(handler.latency()).isLessThan(2 * 20);
            }
        }

        @Test
        void growsInLongBursts() {
            var handler = handler(NO_POOL, CONSTANT).backlog(0);
            for (int i = 0; i < 20; i++) {
                handler.backlog(5_000).run(60);
            }
            assertThat(handler.limit.limit()).isEqualTo(MAX);
        }
    }

    @Nested
    class Batches {

        @ParameterizedTest
        @ValueSource(strings = {"per call", "per message"})
        void ofDifferentSizesAreComparedWithTheirLike(String cost) {
            Service service = (now, messages, random) -> cost.equals("per call") ? 20 : 2 * messages;
            int[] sizes = {1, 100, 10, 100, 1, 100};
            var handler = handler(NO_POOL, service).batchSizes(batch -> sizes[batch / 500 % sizes.length]);
            assertThat(handler.run(120).limit.limit()).isEqualTo(MAX);
        }

        @Test
        void thatGrowDoNotLowerTheLimit() {
            var handler = handler(NO_POOL, (now, messages, random) -> 2 + messages)
                    .batchSizes(batch -> batch < 20_000 ? 1 : 100)
                    .run(10);
            assertThat(handler.run(60).limit.limit()).isEqualTo(MAX);
        }

        @Test
        void ofOneLatencyHaveNoVariance() {
            for (int millis = 1; millis < 1_000; millis++) {
                var window = new LatencyWindow(0);
                for (int i = 0; i < 50; i++) {
                    window.add(0, Math.log((double) millis * MILLIS));
                }
                assertThat(window.variance(0)).isBetween(0.0, 1e-9);
            }
        }

        @Test
        void ofAnySizeHaveAClass() {
            assertThat(LatencyWindow.sizeClass(1)).isZero();
            assertThat(LatencyWindow.sizeClass(10)).isEqualTo(3);
            assertThat(LatencyWindow.sizeClass(10_000)).isEqualTo(LatencyWindow.SIZE_CLASSES - 1);
            assertThat(LatencyWindow.sizeClass(Integer.MAX_VALUE)).isEqualTo(LatencyWindow.SIZE_CLASSES - 1);
        }
    }

    @Nested
    class Failures {

        @Test
        void thatAreFastDoNotRaiseTheLimit() {
            Service failing = (now, messages, random) -> now < 10_000 ? 20 : 1;
            var handler = handler(10, failing)
                    .results((now, running, took) -> now < 10_000 ? Result.DONE : Result.FAILED)
                    .run(10);
            assertThat(handler.run(60).highest()).isLessThanOrEqualTo(20);
        }

        @Test
        void thatAreSlowCountAsLatency() {
            Service timingOut = (now, messages, random) -> now < 10_000 ? 20 : 2_000;
            var handler = handler(10, timingOut)
                    .results((now, running, took) -> now < 10_000 ? Result.DONE : Result.FAILED)
                    .run(10);
            assertThat(handler.run(120).highest()).isLessThanOrEqualTo(20);
        }

        @Test
        void ofADependencyThatRecoversLeaveTheLimitAsItWas() {
            Service failing = (now, messages, random) -> now > 20_000 && now < 40_000 ? 1 : 20;
            var handler = handler(NO_POOL, failing)
                    .results((now, running, took) -> now > 20_000 && now < 40_000 ? Result.FAILED : Result.DONE)
                    .run(20);
            assertThat(handler.run(20).lowest()).isGreaterThanOrEqualTo(MAX / 2);
            assertThat(handler.run(20).limit.limit()).isEqualTo(MAX);
        }

        @Test
        void byOverloadLowerTheLimitAndHoldItThere() {
            var handler = handler(NO_POOL, CONSTANT)
                    .results((now, running, took) -> running > 30 ? Result.OVERLOADED : Result.DONE)
                    .run(10);
            handler.run(3600);
            assertThat(handler.limit.limit()).isBetween(16, 35);
            assertThat(handler.overloads() / (handler.rate() * 3600))
                    .as("the part of the invocations that were refused")
                    .isLessThan(0.0005);
        }

        @Test
        void byOverloadCountOnceInAGeneration() {
            var limit = new GradientLimit(MAX, 0);
            for (int i = 0; i < 16; i++) {
                limit.overloaded(100 * MILLIS, 1_000 * MILLIS + 20L * i * MILLIS);
            }
            assertThat(limit.limit()).isEqualTo(12);
            limit.overloaded(2_000 * MILLIS, 3_000 * MILLIS);
            assertThat(limit.limit()).isEqualTo(10);
        }

        @Test
        void byOverloadNeverLowerTheLimitBelowOne() {
            var limit = new GradientLimit(MAX, 0);
            for (int i = 1; i < 100; i++) {
                limit.overloaded(i * 1_000L * MILLIS, i * 1_000L * MILLIS + 5);
            }
            assertThat(limit.limit()).isOne();
        }

        @ParameterizedTest
        @CsvSource({"20, 20", "500, 400"})
        void byAMomentOfOverloadLowerTheLimitOnce(int millis, int moment) {
            Service usual = around(millis);
            Service rejecting = (now, messages, random) ->
                    now > 60_000 && now < 60_000 + moment ? 0.1 : usual.millis(now, messages, random);
            var handler = handler(NO_POOL, rejecting)
                    .results((now, running, took) -> took < 1 ? Result.OVERLOADED : Result.DONE)
                    .run(59.9);
            assertThat(handler.run(0.6).overloads()).isGreaterThan(1_000);
            assertThat(handler.lowest()).isEqualTo(160);
            assertThat(handler.run(10).limit.limit()).isEqualTo(MAX);
        }

        @Test
        void byOverloadThatShowsLateCountThoughTheLimitGrowsMeanwhile() {
            var simulated = new AtomicReference<SimulatedHandler>();
            Service refusing =
                    (now, messages, random) -> simulated.get().running() > 30 && random.nextInt(50) == 0 ? 2_000 : 20;
            var handler = handler(NO_POOL, refusing)
                    .results((now, running, took) -> took > 1_000 ? Result.OVERLOADED : Result.DONE);
            simulated.set(handler);
            assertThat(handler.run(120).meanLimit()).isBetween(16.0, 40.0);
            assertThat(handler.overloads()).isLessThan(1_000);
            assertThat(handler.run(600).meanLimit()).isBetween(16.0, 35.0);
        }

        @Test
        void byOverloadAreForgottenWhenTheyAreOver() {
            var handler = handler(NO_POOL, CONSTANT)
                    .results((now, running, took) -> now < 60_000 && running > 30 ? Result.OVERLOADED : Result.DONE)
                    .run(60);
            assertThat(handler.run(600).limit.limit()).isEqualTo(MAX);
        }
    }

    @Nested
    class Probes {

        @Test
        void followTheFirstWindow() {
            var handler = handler(NO_POOL, CONSTANT).run(0.2);
            assertThat(handler.limit.probing()).isTrue();
            assertThat(handler.limit.limit()).isEqualTo(GradientLimit.INITIAL / 2);
        }

        @Test
        void endAndRestoreTheLimitWhenTheWorkEnds() {
            var handler = handler(NO_POOL, CONSTANT).run(0.2).backlog(0).run(10);
            for (int i = 0; i < 30; i++) {
                handler.backlog(3).run(1);
            }
            assertThat(handler.limit.probing()).isFalse();
            assertThat(handler.limit.limit()).isEqualTo(GradientLimit.INITIAL);
        }

        @Test
        void endInTimeThoughInvocationsHang() {
            var simulated = new AtomicReference<SimulatedHandler>();
            var hanging = new AtomicInteger();
            Service service = (now, messages, random) ->
                    simulated.get().limit.probing() && hanging.getAndIncrement() < 8 ? AN_HOUR : 20;
            var handler = handler(NO_POOL, service);
            simulated.set(handler);
            handler.run(10);
            assertThat(hanging.get()).isGreaterThanOrEqualTo(8);
            assertThat(handler.limit.probing()).isFalse();
            assertThat(handler.run(60).limit.limit()).isEqualTo(GradientLimit.INITIAL);
            assertThat(handler.rate()).as("of the eight others").isGreaterThan(350);
        }

        @Test
        void haveNoLowLimitLeftThatHangingInvocationsHold() {
            var handler = handler(2, (now, messages, random) -> now < 30_000 ? 20 : AN_HOUR)
                    .run(30);
            assertThat(handler.limit.limit()).isLessThanOrEqualTo(4);
            assertThat(handler.run(10).limit.limit()).isEqualTo(GradientLimit.INITIAL);
            assertThat(handler.run(600).highest()).isEqualTo(GradientLimit.INITIAL);
        }

        @Test
        void ofOneInvocationNeedNoHalf() {
            var handler = new SimulatedHandler(1, NO_POOL, around(20)).run(600);
            assertThat(handler.limit.probing()).isFalse();
            assertThat(handler.limit.limit()).isOne();
        }
    }
}
