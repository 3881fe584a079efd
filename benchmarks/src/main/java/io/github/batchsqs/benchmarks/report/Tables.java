/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.report;

import io.github.batchsqs.benchmarks.run.Measurement;
import io.github.batchsqs.benchmarks.run.Row;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The tables in Markdown: a section for each scenario. */
public final class Tables {

    private static final String NONE = "–";

    private final Results results;
    private final Map<String, List<Measurement>> byRow;

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
        Path link = folder.toAbsolutePath()
                .normalize()
                .relativize(file.toAbsolutePath().normalize());
        tables.head(page, suite, link.toString().replace('\\', '/'));
        scenarios.forEach((scenario, of) -> {
            String name = scenario.substring(suite.length() + 1);
            page.append("\n## ").append(name).append("\n\n");
            page.append("`benchmarks/run %s --rows '%s/*'`\n\n".formatted(suite, name));
            page.append("![%s: messages per second](%s-%s.svg)\n\n".formatted(name, suite, name));
            if (suite.equals("ladder")) {
                tables.ladder(page, of);
            } else {
                tables.peers(page, of);
            }
        });
        Path unused = Files.writeString(Files.createDirectories(folder).resolve(suite + ".md"), page);
        Charts.write(scenarios, results.byRow(), folder);
        if (suite.equals("peers")) {
            Charts.writeComparison(results.byRow(), folder);
        }
    }

    private void head(StringBuilder page, String suite, String link) {
        page.append("# ")
                .append(suite.equals("ladder") ? "The ladder" : "The peers")
                .append("\n\n");
        page.append("The benchmarks write this page from [%s.json](%s). ".formatted(suite, link));
        page.append("[README.md](README.md) explains the columns.\n\n");
        page.append("The command above a table runs all of its rows again, five times each. ");
        page.append("The column *spread* begins with the number of runs of the row.\n\n");
        results.environment()
                .forEach((key, value) ->
                        page.append("- ").append(key).append(": ").append(value).append('\n'));
    }

    private void ladder(StringBuilder page, List<Row> rows) {
        page.append("| row | published | messages/s | spread | calls per message | BatchSQS ÷ row |\n");
        page.append("|---|---:|---:|---:|---:|---:|\n");
        double ours = rows.stream()
                .filter(row -> row.name().endsWith("/batchsqs"))
                .mapToDouble(row -> Results.median(of(row), Measurement::perSecond))
                .findFirst()
                .orElse(Double.NaN);
        for (Row row : rows) {
            List<Measurement> measured = of(row);
            double perSecond = Results.median(measured, Measurement::perSecond);
            page.append("| ").append(row.label());
            page.append(" | ").append(row.published().isEmpty() ? NONE : row.published());
            page.append(" | ").append(number(perSecond));
            page.append(" | ").append(spread(measured));
            page.append(" | ").append("%.3f".formatted(Results.median(measured, Measurement::callsPerMessage)));
            page.append(" | ").append(Double.isNaN(ours) ? NONE : "%.1f".formatted(ours / perSecond));
            page.append(" |\n");
        }
    }

    private void peers(StringBuilder page, List<Row> rows) {
        boolean delays = rows.stream().anyMatch(row -> Results.median(of(row), Measurement::delayP50Millis) > 0);
        page.append(
                "| contestant | messages/s | spread | CPU µs/message | bytes/message | peak RSS MiB | calls/message |");
        boolean fromRest = rows.stream().anyMatch(row -> row.name().contains("-to-full-speed"));
        page.append(delays ? " delay p50 ms | p99 ms |\n" : fromRest ? " round trips to full speed |\n" : "\n");
        page.append("|---|---:|---:|---:|---:|---:|---:|");
        page.append(delays ? "---:|---:|\n" : fromRest ? "---:|\n" : "\n");
        for (Row row : rows) {
            List<Measurement> measured = of(row);
            page.append("| ").append(row.label());
            page.append(" | ").append(number(Results.median(measured, Measurement::perSecond)));
            page.append(" | ").append(spread(measured));
            page.append(" | ").append("%.1f".formatted(Results.median(measured, Measurement::cpuMicrosPerMessage)));
            page.append(" | ").append(number(Results.median(measured, Measurement::allocatedBytesPerMessage)));
            page.append(" | ").append(number(Results.median(measured, Measurement::peakRssMiB)));
            page.append(" | ").append("%.3f".formatted(Results.median(measured, Measurement::callsPerMessage)));
            if (delays) {
                page.append(" | ").append("%.1f".formatted(Results.median(measured, Measurement::delayP50Millis)));
                page.append(" | ").append("%.1f".formatted(Results.median(measured, Measurement::delayP99Millis)));
            } else if (fromRest) {
                double trips = Results.median(measured, Measurement::roundTripsToFullSpeed);
                page.append(" | ").append("%.1f".formatted(Math.max(0, trips)));
            }
            page.append(" |\n");
        }
    }

    private List<Measurement> of(Row row) {
        return byRow.getOrDefault(row.name(), List.of());
    }

    private static String spread(List<Measurement> measured) {
        if (measured.size() == 1) {
            return "1 ×";
        }
        return "%d × ±%.0f %%".formatted(measured.size(), Results.spreadPercent(measured, Measurement::perSecond) / 2);
    }

    private static String number(double value) {
        return value < 100 ? "%.1f".formatted(value) : String.format(Locale.ENGLISH, "%,d", Math.round(value));
    }
}
