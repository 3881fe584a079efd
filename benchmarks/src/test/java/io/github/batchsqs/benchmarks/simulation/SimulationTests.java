/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.github.batchsqs.benchmarks.simulation.SimulationRow.Load;
import io.github.batchsqs.benchmarks.simulation.SimulationRow.Work;
import io.github.batchsqs.listener.ListenerOptions;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Times here are those of the simulation: no machine is too slow for them. */
class SimulationTests {

    private static final ListenerOptions SINGLE =
            SimulationRow.defaults().batchSize(1).build();
    private static final Load.Steady STEADY = new Load.Steady(2_000, 10, true, 1, 3);

    @Test
    void theSameSeedHasTheSameFigures() {
        SimulationRow row = row(4, SINGLE, Network.PUBLISHED.withShortResponses(0.3), STEADY, new Work(10, true));

        SimulationResult first = Simulation.run(row, 7);

        assertThat(Simulation.run(row, 7)).isEqualTo(first);
        assertThat(Simulation.run(row, 8)).isNotEqualTo(first);
    }

    @ParameterizedTest
    @CsvSource({"1,16,100", "3,16,100", "2,4,50"})
    void aBacklogTakesItsWorkDividedByAllInvocations(int instances, int concurrency, int millis) {
        ListenerOptions options = SINGLE.toBuilder().concurrency(concurrency).build();
        Load backlog = new Load.Backlog(100 * instances * concurrency);
        SimulationResult result =
                Simulation.run(row(instances, options, Network.fixed(5), backlog, new Work(millis, false)), 1);

        assertThat(result.idealSeconds()).isEqualTo(millis / 10.0);
        // the first messages come after a few round trips, and the last ones are not divided evenly
        assertThat(result.seconds()).isBetween(result.idealSeconds(), result.idealSeconds() + 0.05 + 2 * millis / 1e3);
    }

    @Test
    void levelsFollowLittlesLaw() {
        SimulationResult result = Simulation.run(row(4, SINGLE, Network.fixed(20), STEADY, new Work(10, false)), 1);

        assertThat(result.perSecond()).isCloseTo(2_000, Percentage.withPercentage(5));
        assertThat(4 * result.invocations()).isCloseTo(result.perSecond() * 0.01, Percentage.withPercentage(1));
        assertThat(4 * result.deletes() * result.perDelete())
                .isCloseTo(result.perSecond() * 0.02, Percentage.withPercentage(2));
        // from the middle of the receive to the middle of the delete, and up to 50 ms in the accumulator
        assertThat(result.inFlight()).isBetween(result.perSecond() * 0.03, result.perSecond() * 0.08);
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 50})
    void pollersReceiveTenMessagesInEachRoundTrip(int millis) {
        int perSecond = 10 * 32 * 1_000 / millis;
        Load backlog = new Load.Backlog(5 * perSecond);
        ListenerOptions options = SimulationRow.defaults().build();
        SimulationResult result =
                Simulation.run(row(1, options, Network.fixed(millis), backlog, new Work(0, false)), 1);

        // six round trips until all pollers run
        assertThat(result.seconds()).isBetween(5.0, 5 + 10 * millis / 1e3);
        assertThat(result.callsPerMessage()).isCloseTo(0.2, within(0.01));
    }

    @Test
    void anIdleInstanceMakesThreeCallsAMinute() {
        SimulationResult result =
                Simulation.run(row(2, SINGLE, Network.fixed(5), new Load.Idle(300), new Work(1, false)), 1);

        assertThat(result.callsPerMessage()).isCloseTo(3, within(0.2));
    }

    @Test
    void nothingIsLostWhenCallsFailAndMessagesAreDeliveredTwice() {
        Network bad = new Network(20, 200, 0.2, 0.05, 0.5, 120_000);
        SimulationResult result = Simulation.run(row(3, SINGLE, bad, STEADY, new Work(10, true)), 1);

        assertThat(result.errors()).isPositive();
        assertThat(result.repeated()).isPositive();
    }

    @Test
    void aHandlerThatTakesLongerThanTheVisibilityTimeoutRunsOnce() {
        Work long90s = new Work(90_000, false);
        SimulationResult result = Simulation.run(row(2, SINGLE, Network.PUBLISHED, new Load.Backlog(40), long90s), 1);

        assertThat(result.repeated()).isZero();
        assertThat(result.seconds()).isBetween(180.0, 181.0);
    }

    @Test
    void noMoreMessagesAreInFlightThanSqsPermits() {
        Network narrow = Network.fixed(5).withMaxInFlight(50);
        SimulationResult result =
                Simulation.run(row(4, SINGLE, narrow, new Load.Backlog(1_000), new Work(100, false)), 1);

        assertThat(result.highestInFlight()).isEqualTo(50);
        assertThat(result.seconds()).isGreaterThan(2);
    }

    @Test
    void publishedCallsHaveThePublishedDistribution() {
        Network network = Network.PUBLISHED;
        SplittableRandom random = new SplittableRandom(1);
        long[] drawn = new long[100_001];
        Arrays.setAll(drawn, i -> network.draw(random));
        Arrays.sort(drawn);

        assertThat(drawn[50_000] / 1e6).isCloseTo(20, within(0.5));
        assertThat(drawn[99_000] / 1e6).isCloseTo(200, within(10.0));
        assertThat(Arrays.stream(drawn).average().orElseThrow() / 1e6).isCloseTo(network.meanMillis(), within(0.5));
    }

    @Test
    void rowsHaveNamesOfTheirOwn() {
        assertThat(SimulationRows.all().stream().map(SimulationRow::name)).doesNotHaveDuplicates();
        assertThat(SimulationSuite.names(List.of("drain/*"), false)).hasSize(5);
        assertThat(SimulationSuite.names(List.of(), true)).hasSizeLessThan(10);
    }

    private static SimulationRow row(int instances, ListenerOptions options, Network network, Load load, Work work) {
        return new SimulationRow("test", "", instances, options, network, load, work, true);
    }
}
