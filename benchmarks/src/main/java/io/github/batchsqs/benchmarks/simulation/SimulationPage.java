/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulation;

import io.github.batchsqs.benchmarks.report.Figures;
import io.github.batchsqs.benchmarks.report.MarkdownTable;
import io.github.batchsqs.benchmarks.report.RawResults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/**
 * The results of the simulation and their section of the page.
 *
 * @param command that ran it
 * @param seed of all rows
 * @param rows in the order of the suite
 */
public record SimulationPage(String command, long seed, List<SimulationResult> rows) {

    private static final String FILE = "simulation.json";

    void save(Path raw) throws IOException {
        RawResults.write(raw.resolve(FILE), this);
    }

    /** Returns the section of the page; an empty text without results. */
    public static String section(Path raw) {
        Path file = raw.resolve(FILE);
        return Files.exists(file) ? RawResults.read(file, SimulationPage.class).text() : "";
    }

    String text() {
        StringBuilder page = new StringBuilder("""

                ## Many instances, simulated

                `benchmarks/run simulation`. The engine's own loops in virtual time ([ADR 0024](../adr/0024-simulation.md)); queue, network and handlers are models, processors are not
                simulated. *As published* means calls of 20 ms in the median and 200 ms in the 99th percentile, a mean of %s ms, with one failed call in 1,000.
                Seed %d.
                """.formatted(Figures.number(Network.PUBLISHED.meanMillis()), seed));
        table(
                page,
                "many",
                "200 instances, 100,000 messages/s",
                "Calls as published, `concurrency: 16`, the defaults otherwise.",
                row -> List.of(
                        row.what(),
                        Figures.number(row.perSecond()),
                        Figures.fixed(3, row.callsPerMessage()),
                        Figures.number(row.delayP50Millis()),
                        Figures.number(row.delayP99Millis()),
                        Figures.number(row.pollers()),
                        Figures.number(row.inFlight())),
                ">messages/s",
                ">calls/message",
                ">delay p50 ms",
                ">p99 ms",
                ">pollers",
                ">in flight");
        table(
                page,
                "size",
                "The formulas for sizing",
                "100,000 messages/s with calls as published. Pollers, deletes and invocations are multiples of the formulas of [Capacity](../capacity.md#sizing).",
                row -> List.of(
                        row.instances() + " instances, " + row.what(),
                        Figures.number(row.perSecond()),
                        Figures.number(row.delayP50Millis()),
                        Figures.number(row.delayP99Millis()),
                        Figures.number(row.formulaInFlight()),
                        Figures.number(row.inFlight())),
                ">messages/s",
                ">delay p50 ms",
                ">p99 ms",
                ">in flight by the formula",
                ">in flight");
        table(
                page,
                "in-flight",
                "The in-flight limit",
                "10 instances at 700 messages/s each, calls as published, `concurrency: 16`. The formula permits 70 in flight, a `prefetch` of 54.",
                row -> List.of(
                        row.what(),
                        Figures.number(row.perSecond()),
                        Figures.number(row.delayP50Millis()),
                        Figures.number(row.delayP99Millis()),
                        Figures.number(row.inFlight())),
                ">messages/s",
                ">delay p50 ms",
                ">p99 ms",
                ">in flight");
        table(
                page,
                "calls",
                "Calls, by the rate of an instance",
                "The defaults, invocations of 5 ms, 10 ms a call. Messages arrive one by one.",
                row -> List.of(
                        row.what(), Figures.fixed(3, row.callsPerMessage()), Figures.number(row.delayP50Millis())),
                ">calls/message",
                ">delay p50 ms");
        return page.toString();
    }

    private void table(
            StringBuilder page,
            String section,
            String title,
            String text,
            Function<SimulationResult, List<String>> cells,
            String... columns) {
        List<SimulationResult> of =
                rows.stream().filter(row -> row.row().startsWith(section + "/")).toList();
        if (of.isEmpty()) {
            return;
        }
        String[] all = new String[columns.length + 1];
        all[0] = "row";
        System.arraycopy(columns, 0, all, 1, columns.length);
        MarkdownTable table = new MarkdownTable(all);
        of.forEach(row -> table.row(cells.apply(row).toArray(String[]::new)));
        page.append("\n### %s\n\n%s\n\n%s".formatted(title, text, table));
    }
}
