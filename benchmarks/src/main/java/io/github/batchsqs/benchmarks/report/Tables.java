/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.report;

import io.github.batchsqs.benchmarks.run.Round;
import io.github.batchsqs.benchmarks.run.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** The sections of the suites of rows, in Markdown, and their charts. */
public final class Tables {

    private static final String NONE = "–";
    private static final String DEFAULTS = "defaults";

    /** The shape of the README's chart. */
    private static final String SHOWN = DEFAULTS + "/receive-single-standard";

    private static final String CALLERS = "send-2000-callers-10ms-100B";

    private static final Map<String, String> TITLES = new LinkedHashMap<>();

    static {
        TITLES.put(DEFAULTS, "Defaults and tuned");
        TITLES.put("wire", "The wire: a bare client, BatchSQS and the peers' best");
        TITLES.put("peer-search", "The search for the peers' best");
        TITLES.put("peers", "Low traffic, growth, and waiting callers");
        TITLES.put("concurrency", "Fixed and automatic concurrency");
        TITLES.put("ladder", "The ladder: published steps of SQS tuning");
    }

    private final Map<String, Figures> byRow;

    private Tables(Results results) {
        this.byRow = results.byRow();
    }

    /** Returns the suites that have sections, in their order. */
    public static List<String> suites() {
        return List.copyOf(TITLES.keySet());
    }

    /**
     * Returns the section of a suite, and writes its charts; an empty text without results.
     *
     * @param raw the folder of the raw results
     * @param folder where the page and the charts go
     */
    public static String section(String suite, List<Row> rows, Path raw, Path folder) throws IOException {
        Path file = Results.file(raw, suite);
        if (!Files.exists(file)) {
            return "";
        }
        Results results = Results.read(file);
        Tables tables = new Tables(results);
        Map<String, List<Row>> scenarios = rows.stream()
                .filter(row -> tables.byRow.containsKey(row.name()))
                .collect(Collectors.groupingBy(Row::scenario, LinkedHashMap::new, Collectors.toList()));
        StringBuilder page = new StringBuilder("\n## %s\n\n%s\n\n"
                .formatted(
                        Objects.requireNonNull(TITLES.get(suite)),
                        Environment.line("benchmarks/run " + suite, results.environment())));
        switch (suite) {
            case "wire" -> page.append(new WireTable(tables.byRow).of(scenarios));
            case DEFAULTS -> page.append(new DefaultsTable(tables.byRow).of(scenarios));
            case "peer-search" -> page.append(tables.search(scenarios));
            case "peers" -> page.append(tables.peers(scenarios));
            default ->
                scenarios.forEach(
                        (scenario, of) -> tables.scenario(page, suite, scenario.substring(suite.length() + 1), of));
        }
        if (suite.equals("ladder")) {
            Charts.write(scenarios, tables.byRow, folder);
        }
        List<Row> shown = scenarios.get(SHOWN);
        if (shown != null) {
            Charts.writeComparison(new DefaultsTable(tables.byRow).bars(shown), folder);
        }
        return page.toString();
    }

    private void scenario(StringBuilder page, String suite, String name, List<Row> rows) {
        if (suite.equals("concurrency") && name.startsWith("drain-") && name.contains("-list-")) {
            return; // As with single messages
        }
        page.append("\n### ").append(name).append("\n\n");
        if (suite.equals("ladder")) {
            page.append("![%s: messages per second](%s-%s.svg)\n\n".formatted(name, suite, name))
                    .append(ladder(rows));
        } else {
            page.append(new ConcurrencyTable(byRow).of(rows));
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

    private MarkdownTable ladder(List<Row> rows) {
        MarkdownTable table =
                new MarkdownTable("row", ">published", ">messages/s", ">calls/message", ">BatchSQS ÷ row");
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
                    Figures.fixed(3, figures.median(Round::callsPerMessage)),
                    Double.isNaN(ours) ? NONE : Figures.fixed(1, ours / figures.perSecond()));
        }
        return table;
    }

    /** The fastest configuration of each shape. */
    private MarkdownTable search(Map<String, List<Row>> shapes) {
        MarkdownTable table =
                new MarkdownTable("shape", ">configurations", "fastest", ">messages/s", ">CPU µs/message");
        shapes.forEach((shape, rows) -> {
            Row best = best(rows);
            table.row(
                    name(shape),
                    Integer.toString(rows.size()),
                    "`" + best.label() + "`",
                    Figures.number(of(best).perSecond()),
                    Figures.fixed(1, of(best).median(Round::cpuMicrosPerMessage)));
        });
        return table;
    }

    /** What the wire does not have: low traffic, growth from idle, and waiting callers. The other rows of this suite are on no page. */
    private String peers(Map<String, List<Row>> scenarios) {
        MarkdownTable table = new MarkdownTable(
                "scenario",
                "contestant",
                ">messages/s",
                ">calls/message",
                ">delay p50 ms",
                ">round trips to full speed");
        scenarios.forEach((scenario, rows) -> {
            String name = name(scenario);
            if (name.startsWith("trickle-") || name.contains("-to-full-speed") || name.equals(CALLERS)) {
                rows.stream()
                        .filter(row -> !row.label().startsWith("bare-loop"))
                        .forEach(row -> peer(table, name, row));
            }
        });
        return table.toString();
    }

    private void peer(MarkdownTable table, String scenario, Row row) {
        Figures figures = of(row);
        boolean delays = figures.median(Round::delayP50Millis) > 0;
        table.row(
                scenario,
                label(row, figures),
                Figures.number(figures.perSecond()),
                Figures.fixed(3, figures.median(Round::callsPerMessage)),
                delays ? Figures.fixed(1, figures.median(Round::delayP50Millis)) : NONE,
                scenario.contains("-to-full-speed")
                        ? Figures.fixed(1, Math.max(0, figures.median(Round::roundTripsToFullSpeed)))
                        : NONE);
    }

    private Row best(List<Row> rows) {
        return rows.stream()
                .max(Comparator.comparingDouble(row -> of(row).perSecond()))
                .orElseThrow();
    }

    private static String name(String scenario) {
        return scenario.substring(scenario.indexOf('/') + 1);
    }

    private static String label(Row row, Figures figures) {
        return figures.flat() ? row.label() : row.label() + " †";
    }

    private Figures of(Row row) {
        return Objects.requireNonNull(byRow.get(row.name()));
    }
}
