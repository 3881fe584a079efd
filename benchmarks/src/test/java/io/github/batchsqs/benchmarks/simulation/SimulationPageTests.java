/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.benchmarks.simulation.SimulationRow.Load;
import io.github.batchsqs.benchmarks.simulation.SimulationRow.Work;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulationPageTests {

    @Test
    void rowsHaveTheirOwnTables() {
        SimulationRow row = new SimulationRow(
                "calls/10ms",
                "10 ms a call",
                1,
                SimulationRow.defaults().build(),
                Network.fixed(10),
                new Load.Backlog(3_000),
                new Work(0, false),
                true);

        assertThat(page(Simulation.run(row, SimulationSuite.SEED)))
                .contains("### Calls, by the rate of an instance", "| row | calls/message | delay p50 ms |")
                .doesNotContain("200 instances");
    }

    private static String page(SimulationResult result) {
        return new SimulationPage("benchmarks/run simulation", SimulationSuite.SEED, List.of(result)).text();
    }
}
