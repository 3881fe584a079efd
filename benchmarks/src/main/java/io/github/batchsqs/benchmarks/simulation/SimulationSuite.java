/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulation;

import io.github.batchsqs.benchmarks.run.RowPatterns;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Runs the rows of the simulation, one after another: virtual time is that of the process. */
public final class SimulationSuite {

    /** The suite. */
    public static final String SUITE = "simulation";

    /** The seed of the results of record. */
    static final long SEED = 22;

    private SimulationSuite() {}

    /** Returns the names of the rows that the patterns choose. */
    public static List<String> names(List<String> patterns, boolean quick) {
        return chosen(patterns, quick).stream().map(SimulationRow::name).toList();
    }

    /**
     * Runs them.
     *
     * @param raw where the results go
     */
    public static void run(String command, List<String> patterns, boolean quick, Path raw) throws IOException {
        List<SimulationResult> results =
                chosen(patterns, quick).stream().map(SimulationSuite::run).toList();
        new SimulationPage(command, SEED, results).save(raw);
    }

    private static SimulationResult run(SimulationRow row) {
        long began = System.nanoTime();
        SimulationResult result = Simulation.run(row, SEED);
        System.err.printf("%.1f s: %s%n", (System.nanoTime() - began) / 1e9, result);
        return result;
    }

    private static List<SimulationRow> chosen(List<String> patterns, boolean quick) {
        return SimulationRows.all().stream()
                .filter(row -> !quick || row.quick())
                .filter(row -> RowPatterns.choose(patterns, row.name()))
                .toList();
    }
}
