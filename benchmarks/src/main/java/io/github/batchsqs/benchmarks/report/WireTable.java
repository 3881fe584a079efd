/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.report;

import io.github.batchsqs.benchmarks.run.Round;
import io.github.batchsqs.benchmarks.run.Row;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The table of the wire: goal, bare client, BatchSQS with 200 calls at once, and the best of the peers, for each shape. The peers'
 * best is the one with the best median of that figure, so it may be another one for each figure.
 */
final class WireTable {

    private static final String NONE = "–";
    private static final String OURS = "batchsqs-200";

    /** Meters are on in a Boot application, so this row counts where it has been measured. */
    private static final String OURS_WITH_METERS = OURS + "-meters";

    private static final String OURS_WITH_TRACER = OURS_WITH_METERS + "-tracer";

    private static final String BARE = "bare-client";

    private final Map<String, Figures> byRow;

    /**
     * Prepares it.
     *
     * @param byRow what has been measured, by the row's name
     */
    WireTable(Map<String, Figures> byRow) {
        this.byRow = byRow;
    }

    /** Returns the tables in Markdown. */
    String of(Map<String, List<Row>> shapes) {
        MarkdownTable table = new MarkdownTable(
                "shape",
                "figure",
                ">bare client",
                ">BatchSQS",
                ">÷ bare client",
                ">goal",
                ">peers' best",
                ">BatchSQS ÷ peers' best",
                ">goal");
        shapes.forEach((shape, rows) -> shape(table, shape, rows));
        return table + tracer(shapes);
    }

    /** What a tracer adds, or nothing if that was not measured. */
    private String tracer(Map<String, List<Row>> shapes) {
        MarkdownTable table =
                new MarkdownTable("shape", "figure", ">BatchSQS", ">with a tracer", ">÷ without", ">goal");
        List<String> measured = new ArrayList<>();
        shapes.forEach((shape, rows) -> {
            Figures with = figures(first(rows, row -> row.label().equals(OURS_WITH_TRACER)));
            Figures without = figures(first(rows, row -> row.label().equals(OURS_WITH_METERS)));
            for (Line line : with == null ? List.<Line>of() : Line.ofTracer()) {
                measured.add(shape);
                table.row(
                        shape.substring(shape.indexOf('/') + 1),
                        line.name,
                        cell(without, line),
                        cell(with, line),
                        quotient(with, without, line),
                        goal(line.ofBare, with, without, line));
            }
        });
        return measured.isEmpty() ? "" : "\n" + table;
    }

    private void shape(MarkdownTable table, String shape, List<Row> rows) {
        Figures bare = figures(first(rows, row -> row.label().startsWith(BARE)));
        Figures measured = figures(first(rows, row -> row.label().equals(OURS_WITH_METERS)));
        Figures ours = measured == null ? figures(first(rows, row -> row.label().equals(OURS))) : measured;
        List<Row> peers = rows.stream().filter(this::peer).toList();
        String name = shape.substring(shape.indexOf('/') + 1);
        for (Line line : Line.of(shape)) {
            Optional<Row> best = peers.stream().max(Comparator.comparingDouble(row -> line.worth(of(row))));
            Figures peer = figures(best);
            table.row(
                    name,
                    line.name,
                    cell(bare, line),
                    cell(ours, line),
                    quotient(ours, bare, line),
                    goal(line.ofBare, ours, bare, line),
                    cell(peer, line) + best.map(row -> " `" + row.label() + "`").orElse(""),
                    quotient(ours, peer, line),
                    goal(line.ofPeers, ours, peer, line));
            name = "";
        }
    }

    /** Rows with meters are for another comparison. */
    private boolean peer(Row row) {
        return byRow.containsKey(row.name())
                && !row.label().startsWith("batchsqs")
                && !row.label().startsWith(BARE)
                && !row.label().endsWith("-meters");
    }

    private static String cell(@Nullable Figures figures, Line line) {
        return figures == null
                ? NONE
                : Figures.number(figures.median(line.value))
                        + Figures.inBrackets(figures.range(line.value))
                        + (figures.flat() ? "" : " †");
    }

    private static String quotient(@Nullable Figures one, @Nullable Figures other, Line line) {
        String quotient = one == null || other == null ? "" : one.dividedBy(other, line.value);
        return quotient.isEmpty() ? NONE : quotient;
    }

    private static String goal(double goal, @Nullable Figures one, @Nullable Figures other, Line line) {
        if (goal == 0) {
            return NONE;
        }
        String quotient = quotient(one, other, line);
        String reached = quotient.equals(NONE)
                ? ""
                : Double.parseDouble(quotient.split(" ", 2)[0]) <= goal ? ": reached" : ": missed";
        return "≤ " + Figures.fixed(2, goal) + reached;
    }

    private static Optional<Row> first(List<Row> rows, Predicate<Row> wanted) {
        return rows.stream().filter(wanted).findFirst();
    }

    private @Nullable Figures figures(Optional<Row> row) {
        return row.map(each -> byRow.get(each.name())).orElse(null);
    }

    private Figures of(Row row) {
        return Objects.requireNonNull(byRow.get(row.name()));
    }

    /**
     * A line of a shape.
     *
     * @param name of the figure
     * @param value the figure
     * @param sign 1 if more is better, -1 if less is
     * @param ofBare how much of the bare client's BatchSQS may have; 0 for no goal
     * @param ofPeers how much of the peers' best; likewise
     */
    private record Line(String name, ToDoubleFunction<Round> value, int sign, double ofBare, double ofPeers) {

        /** Over TLS, the CPU time alone. */
        static List<Line> of(String shape) {
            boolean send = shape.contains("/send-");
            boolean list = shape.contains("-list-");
            Line cpu = new Line("CPU µs", Round::cpuMicrosPerMessage, -1, send ? 0 : list ? 1.5 : 2, send ? 0.5 : 0.33);
            return shape.endsWith("-tls")
                    ? List.of(cpu)
                    : List.of(new Line("messages/s", Round::perSecond, 1, 0, 0), cpu);
        }

        /** With a tracer, of the row without. */
        static List<Line> ofTracer() {
            return List.of(
                    new Line("CPU µs", Round::cpuMicrosPerMessage, -1, 1.3, 0),
                    new Line("bytes", Round::allocatedBytesPerMessage, -1, 1.3, 0));
        }

        double worth(Figures figures) {
            return sign * figures.median(value);
        }
    }
}
