/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.benchmarks.cluster.ClusterResult;
import io.github.batchsqs.benchmarks.simulation.SimulationRow.Load;
import io.github.batchsqs.benchmarks.simulation.SimulationRow.Work;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulationPageTests {

    private static final ClusterResult.Calls NONE = new ClusterResult.Calls(0, 0, 0, 0);
    private static final ClusterResult PROCESSES =
            new ClusterResult("drain/1", "", 1_600, 10.2, 10, 0.249, 1, 1, 5_046, 9_971, NONE, NONE, 0, 0, 0, 0, false);

    @Test
    void rowsStandBesideThoseOfTheProcesses() {
        SimulationRow row = new SimulationRow(
                "drain/1",
                "1 instance",
                1,
                SimulationRow.defaults().batchSize(1).build(),
                Network.fixed(5),
                new Load.Backlog(1_600),
                new Work(100, false),
                true);
        String page = page(Simulation.run(row, SimulationSuite.SEED));

        assertThat(page).contains("| 1 instance | 157 → 160 | 0.249 → 0.2").doesNotContain("200 instances");
    }

    @Test
    void rowsWithoutProcessesHaveTheirOwnSections() {
        SimulationRow row = new SimulationRow(
                "pollers/10ms",
                "10 ms a call",
                1,
                SimulationRow.defaults().build(),
                Network.fixed(10),
                new Load.Backlog(3_000),
                new Work(0, false),
                true);

        assertThat(page(Simulation.run(row, SimulationSuite.SEED)))
                .contains("## The maximum of 32 pollers", "`benchmarks/run simulation --rows 'pollers/*'`")
                .doesNotContain("Beside the processes");
    }

    private static String page(SimulationResult result) {
        return new SimulationPage("benchmarks/run simulation", SimulationSuite.SEED, List.of(result))
                .text(Path.of("simulation.json"), List.of(PROCESSES));
    }
}
