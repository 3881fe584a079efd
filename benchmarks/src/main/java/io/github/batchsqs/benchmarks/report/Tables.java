/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.report;

import io.github.batchsqs.benchmarks.run.Round;
import io.github.batchsqs.benchmarks.run.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** The tables in Markdown: a section for each scenario. */
public final class Tables {

    private static final String NONE = "–";
    private static final String DEFAULTS = "defaults";

    /** The shape of the README's chart. */
    private static final String SHOWN = DEFAULTS + "/receive-single-standard";

    private static final String QUOTIENTS =
            "Quotients are medians and ranges over the passes: each compares two rounds of one pass.\n\n";

    private static final Map<String, String> TITLES = Map.of(
            "ladder",
            "The ladder",
            "peers",
            "The peers",
            "wire",
            "The wire",
            DEFAULTS,
            "Defaults and tuned",
            "concurrency",
            "Fixed and automatic concurrency",
            "peer-search",
            "The search for the peers' best");

    private final Results results;
    private final Map<String, Figures> byRow;

    private Tables(Results results) {
        this.results = results;
        this.byRow = results.byRow();
    }

    /**
     * Writes the page and the charts of a suite.
     *
     * @param raw the folder of the raw results
     * @param folder where the page and the charts go
     */
    public static void write(String suite, List<Row> rows, Path raw, Path folder) throws IOException {
        Path file = Results.file(raw, suite);
        if (!Files.exists(file)) {
            return;
        }
        Results results = Results.read(file);
        Tables tables = new Tables(results);
        Map<String, List<Row>> scenarios = rows.stream()
                .filter(row -> tables.byRow.containsKey(row.name()))
                .collect(Collectors.groupingBy(Row::scenario, LinkedHashMap::new, Collectors.toList()));
        StringBuilder page = new StringBuilder();
        boolean charts = suite.equals("ladder") || suite.equals("peers");
        tables.head(page, suite, RawResults.link(file, folder));
        if (suite.equals("wire")) {
            page.append("\n`benchmarks/run peer-search`, then `benchmarks/run wire`\n\n")
                    .append(QUOTIENTS);
            page.append(new WireTable(tables.byRow).of(scenarios));
        }
        if (suite.equals(DEFAULTS)) {
            page.append("\n`benchmarks/run defaults`\n\n").append(QUOTIENTS);
            page.append(new DefaultsTable(tables.byRow).of(scenarios));
        }
        scenarios.forEach((scenario, of) -> {
            String name = scenario.substring(suite.length() + 1);
            page.append("\n## ").append(name).append("\n\n");
            page.append("`benchmarks/run %s --rows '%s/*'`\n\n".formatted(suite, name));
            if (charts) {
                page.append("![%s: messages per second](%s-%s.svg)\n\n".formatted(name, suite, name));
            }
            switch (suite) {
                case "ladder" -> tables.ladder(page, of);
                case "concurrency" -> page.append(new ConcurrencyTable(tables.byRow).of(of));
                default -> tables.peers(page, of);
            }
        });
        Path unused = Files.writeString(Files.createDirectories(folder).resolve(suite + ".md"), page);
        if (charts) {
            Charts.write(scenarios, results.byRow(), folder);
        }
        List<Row> shown = scenarios.get(SHOWN);
        if (shown != null) {
            Charts.writeComparison(new DefaultsTable(tables.byRow).bars(shown), folder);
        }
    }

    /** The rows of a suite that have been measured, by their names. */
    public static Map<String, Outcome> outcomes(String suite, Path raw) {
        Path file = Results.file(raw, suite);
        Map<String, Outcome> outcomes = new LinkedHashMap<>();
        if (Files.exists(file)) {
            Results.read(file)
                    .byRow()
                    .forEach((row, each) ->
                            outcomes.put(row, new Outcome(each.perSecond(), each.median(Round::cpuMicrosPerMessage))));
        }
        return outcomes;
    }

    /**
     * What a row has reached; medians.
     *
     * @param perSecond messages per second
     * @param cpuMicros the CPU time of the client per message
     */
    public record Outcome(double perSecond, double cpuMicros) {}

    private void head(StringBuilder page, String suite, String link) {
        page.append("# ").append(TITLES.getOrDefault(suite, suite)).append("\n\n");
        page.append("The benchmarks write this page from [%s.json](%s). ".formatted(suite, link));
        page.append("[README.md](README.md) explains the columns.\n\n");
        page.append("The command above a table measures its rows again and writes to `benchmarks/target/trial`. ");
        page.append("Figures are medians over all rounds, and ranges are the lowest and the highest round. ");
        page.append("†: the figure was not flat when the warm-up ended.");
        double idle =
                byRow.values().stream().mapToDouble(Figures::idleCpu).max().orElse(0);
        if (idle > 0) {
            page.append(" While its process waited for its turn, no row used more than ");
            page.append(Figures.fixed(1, 100 * idle)).append(" % of a core.");
        }
        page.append("\n\n").append(Environment.list(results.environment()));
    }

    private void ladder(StringBuilder page, List<Row> rows) {
        MarkdownTable table = new MarkdownTable(
                "row",
                ">published",
                ">messages/s",
                ">range",
                ">passes × rounds",
                ">calls per message",
                ">BatchSQS ÷ row");
        double ours = rows.stream()
                .filter(row -> row.name().endsWith("/batchsqs"))
                .mapToDouble(row -> of(row).perSecond())
                .findFirst()
                .orElse(Double.NaN);
        for (Row row : rows) {
            Figures figures = of(row);
            table.row(
                    label(row, figures),
                    row.published().isEmpty() ? NONE : row.published(),
                    Figures.number(figures.perSecond()),
                    figures.range(Round::perSecond),
                    figures.count(),
                    Figures.fixed(3, figures.median(Round::callsPerMessage)),
                    Double.isNaN(ours) ? NONE : Figures.fixed(1, ours / figures.perSecond()));
        }
        page.append(table);
    }

    private void peers(StringBuilder page, List<Row> rows) {
        boolean delays = rows.stream().anyMatch(row -> of(row).median(Round::delayP50Millis) > 0);
        boolean fromRest = rows.stream().anyMatch(row -> row.name().contains("-to-full-speed"));
        List<String> columns = new ArrayList<>(List.of(
                "contestant",
                ">messages/s",
                ">range",
                ">CPU µs/message",
                ">range",
                ">bytes/message",
                ">peak RSS MiB",
                ">calls/message",
                ">server CPU µs/message",
                ">passes × rounds"));
        columns.addAll(
                delays
                        ? List.of(">delay p50 ms", ">p99 ms")
                        : fromRest ? List.of(">round trips to full speed") : List.of());
        MarkdownTable table = new MarkdownTable(columns.toArray(String[]::new));
        for (Row row : rows) {
            Figures figures = of(row);
            List<String> cells = new ArrayList<>(List.of(
                    label(row, figures),
                    Figures.number(figures.perSecond()),
                    figures.range(Round::perSecond),
                    Figures.fixed(1, figures.median(Round::cpuMicrosPerMessage)),
                    figures.range(Round::cpuMicrosPerMessage),
                    Figures.number(figures.median(Round::allocatedBytesPerMessage)),
                    Figures.number(figures.peakRssMiB()),
                    Figures.fixed(3, figures.median(Round::callsPerMessage)),
                    Figures.fixed(1, figures.median(Round::serverCpuMicrosPerMessage)),
                    figures.count()));
            if (delays) {
                cells.add(Figures.fixed(1, figures.median(Round::delayP50Millis)));
                cells.add(Figures.fixed(1, figures.median(Round::delayP99Millis)));
            } else if (fromRest) {
                cells.add(Figures.fixed(1, Math.max(0, figures.median(Round::roundTripsToFullSpeed))));
            }
            table.row(cells.toArray(String[]::new));
        }
        page.append(table);
    }

    private static String label(Row row, Figures figures) {
        return figures.flat() ? row.label() : row.label() + " †";
    }

    private Figures of(Row row) {
        return Objects.requireNonNull(byRow.get(row.name()));
    }
}
