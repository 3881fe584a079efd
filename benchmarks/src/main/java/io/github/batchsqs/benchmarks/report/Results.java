/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.report;

import io.github.batchsqs.benchmarks.run.Measurement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The raw results of a suite.
 *
 * @param environment the machine and the versions
 * @param command the command that measured them
 * @param measurements in the order in which they were taken
 */
record Results(Map<String, String> environment, String command, List<Measurement> measurements) {

    static Path file(Path folder, String suite) {
        return folder.resolve(suite + ".json");
    }

    static Results empty(String command) {
        return new Results(Environment.describe(), command, new ArrayList<>());
    }

    /** What a run that was broken off has left. */
    static Results resumed(Path file, String command) {
        return Files.exists(file)
                ? new Results(Environment.describe(), command, new ArrayList<>(read(file).measurements))
                : empty(command);
    }

    static Results read(Path file) {
        return RawResults.read(file, Results.class);
    }

    void write(Path file) throws IOException {
        RawResults.write(file, this);
    }

    static Measurement measurement(String json) {
        return RawResults.parse(json, Measurement.class);
    }

    /** How often a row has been measured. */
    long times(String row) {
        return measurements.stream().filter(each -> each.row().equals(row)).count();
    }

    Map<String, Figures> byRow() {
        Map<String, List<Measurement>> rows = new TreeMap<>();
        measurements.stream()
                .filter(each -> !each.rounds().isEmpty())
                .forEach(each -> rows.computeIfAbsent(each.row(), name -> new ArrayList<>())
                        .add(each));
        Map<String, Figures> figures = new TreeMap<>();
        rows.forEach((name, passes) -> figures.put(name, new Figures(passes)));
        return figures;
    }
}
