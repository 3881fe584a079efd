/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.report;

import io.github.batchsqs.benchmarks.run.HandlerLatency;
import io.github.batchsqs.benchmarks.run.Round;
import io.github.batchsqs.benchmarks.run.Row;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/**
 * The table of numbers of invocations: the rate beside the best rate of the scenario, and the latency of the handler beside the
 * lowest.
 */
final class ConcurrencyTable {

    private static final String NONE = "–";

    private final Map<String, Figures> byRow;

    /**
     * Prepares it.
     *
     * @param byRow what has been measured, by the row's name
     */
    ConcurrencyTable(Map<String, Figures> byRow) {
        this.byRow = byRow;
    }

    /** Returns the table of one scenario in Markdown. */
    String of(List<Row> rows) {
        double best =
                rows.stream().mapToDouble(row -> figures(row).perSecond()).max().orElse(0);
        double lowest = rows.stream()
                .mapToDouble(row -> figures(row).median(millis()))
                .filter(millis -> millis > 0)
                .min()
                .orElse(0);
        MarkdownTable table = new MarkdownTable(
                "row", ">messages/s", ">of the best", ">handler ms", ">of the lowest", ">calls/message");
        for (Row row : rows) {
            Figures figures = figures(row);
            table.row(cells(row, figures, best, lowest));
        }
        return table.toString();
    }

    private static String[] cells(Row row, Figures figures, double best, double lowest) {
        double millis = figures.median(millis());
        boolean measured = millis > 0;
        return new String[] {
            figures.flat() ? row.label() : row.label() + " †",
            Figures.number(figures.perSecond()),
            best > 0 ? Figures.fixed(2, figures.perSecond() / best) : NONE,
            measured ? Figures.number(millis) : NONE,
            measured ? Figures.fixed(2, millis / lowest) : NONE,
            Figures.fixed(3, figures.median(Round::callsPerMessage))
        };
    }

    private static ToDoubleFunction<Round> millis() {
        return of(HandlerLatency::meanMillis);
    }

    /** The figure of the handler; 0 where it was not measured. */
    private static ToDoubleFunction<Round> of(ToDoubleFunction<HandlerLatency> figure) {
        return round -> round.handler() == null ? 0 : figure.applyAsDouble(round.handler());
    }

    private Figures figures(Row row) {
        return Objects.requireNonNull(byRow.get(row.name()));
    }
}
