/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.report;

import io.github.batchsqs.benchmarks.run.Round;
import io.github.batchsqs.benchmarks.run.Row;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Compares defaults with defaults, and tuned with tuned. Spring Cloud AWS's tuned configuration is the fastest one of the shape
 * that has been measured.
 */
final class DefaultsTable {

    private static final String DEFAULTS = "defaults";
    private static final String TUNED = "tuned";

    private final Map<String, Figures> byRow;

    /**
     * Prepares it.
     *
     * @param byRow what has been measured, by the row's name
     */
    DefaultsTable(Map<String, Figures> byRow) {
        this.byRow = byRow;
    }

    /** Returns the table in Markdown. */
    String of(Map<String, List<Row>> shapes) {
        MarkdownTable table = new MarkdownTable(
                "shape", "both at", "figure", ">Spring Cloud AWS", ">BatchSQS", ">BatchSQS ÷ Spring Cloud AWS");
        shapes.forEach((shape, rows) -> {
            String name = shape.substring(shape.indexOf('/') + 1);
            pairs(rows).forEach((how, pair) -> {
                line(table, name, how, "messages/s", pair, Round::perSecond);
                line(table, name, how, "CPU µs", pair, Round::cpuMicrosPerMessage);
            });
        });
        return table.toString();
    }

    /** Returns the messages/s of the bars of a shape's chart, by their names. */
    Map<String, Double> bars(List<Row> rows) {
        Map<String, Double> bars = new LinkedHashMap<>();
        pairs(rows).forEach((how, pair) -> {
            bars.put("Spring Cloud AWS, " + how, figures(pair.theirs()).perSecond());
            bars.put("BatchSQS, " + how, figures(pair.ours()).perSecond());
        });
        return bars;
    }

    private Map<String, Pair> pairs(List<Row> rows) {
        Map<String, Pair> pairs = new LinkedHashMap<>();
        pair(best(rows, label -> label.equals("spring")), best(rows, label -> label.equals("batchsqs")))
                .ifPresent(pair -> pairs.put(DEFAULTS, pair));
        pair(best(rows, label -> label.startsWith("spring-")), best(rows, label -> label.startsWith("batchsqs-")))
                .ifPresent(pair -> pairs.put(TUNED, pair));
        return pairs;
    }

    private static Optional<Pair> pair(Optional<Row> theirs, Optional<Row> ours) {
        return theirs.flatMap(row -> ours.map(other -> new Pair(row, other)));
    }

    private Optional<Row> best(List<Row> rows, Predicate<String> label) {
        Stream<Row> measured = rows.stream().filter(row -> label.test(row.label()) && byRow.containsKey(row.name()));
        return measured.max(Comparator.comparingDouble(row -> figures(row).perSecond()));
    }

    private void line(
            MarkdownTable table, String shape, String how, String name, Pair pair, ToDoubleFunction<Round> figure) {
        table.row(
                shape,
                how,
                name,
                cell(pair.theirs(), figure),
                cell(pair.ours(), figure),
                figures(pair.ours()).dividedBy(figures(pair.theirs()), figure));
    }

    private String cell(Row row, ToDoubleFunction<Round> figure) {
        Figures figures = figures(row);
        return Figures.number(figures.median(figure))
                + Figures.inBrackets(figures.range(figure))
                + (figures.flat() ? "" : " †")
                + " `" + row.label() + "`";
    }

    private Figures figures(Row row) {
        return Objects.requireNonNull(byRow.get(row.name()));
    }

    private record Pair(Row theirs, Row ours) {}
}
