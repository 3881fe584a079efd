/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.report;

import io.github.batchsqs.benchmarks.run.Round;
import io.github.batchsqs.benchmarks.run.Row;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The table of the wire: goal, bare client, BatchSQS with 200 calls at once, and the best of the peers, for each shape. */
final class WireTable {

    private static final String NONE = "–";
    private static final String OURS = "batchsqs-200";

    /** Meters are on in a Boot application, so this row counts where it has been measured. */
    private static final String OURS_WITH_METERS = OURS + "-meters";

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

    /** Returns the table in Markdown. */
    String of(Map<String, List<Row>> shapes) {
        StringBuilder table = new StringBuilder();
        table.append("| shape | figure | bare client | BatchSQS | ÷ bare client | goal | peers' best | BatchSQS ÷"
                        + " peers' best")
                .append(" | goal |\n|---|---|---:|---:|---:|---:|---:|---:|---:|\n");
        shapes.forEach((shape, rows) -> shape(table, shape, rows));
        return table.toString();
    }

    private void shape(StringBuilder table, String shape, List<Row> rows) {
        Figures bare = figures(first(rows, row -> row.label().startsWith(BARE)));
        Figures measured = figures(first(rows, row -> row.label().equals(OURS_WITH_METERS)));
        Figures ours = measured == null ? figures(first(rows, row -> row.label().equals(OURS))) : measured;
        Optional<Row> best = peersBest(rows);
        Figures peer = figures(best);
        Goals goals = Goals.of(shape);
        String name = shape.substring(shape.indexOf('/') + 1);
        String peerName = best.map(row -> " `" + row.label() + "`").orElse("");
        line(table, name, "messages/s", Round::perSecond, bare, ours, peer, peerName, NONE, NONE);
        line(table, "", "CPU µs", Round::cpuMicrosPerMessage, bare, ours, peer, "", goals.cpu, goals.peersCpu);
        line(table, "", "bytes", Round::allocatedBytesPerMessage, bare, ours, peer, "", goals.bytes, NONE);
        line(table, "", "server CPU µs", Round::serverCpuMicrosPerMessage, bare, ours, peer, "", NONE, NONE);
    }

    /** The row of a peer with the highest median of messages per second; rows with meters are for another comparison. */
    Optional<Row> peersBest(List<Row> rows) {
        return rows.stream()
                .filter(row -> byRow.containsKey(row.name()))
                .filter(row ->
                        !row.label().startsWith("batchsqs") && !row.label().startsWith("bare"))
                .filter(row -> !row.label().endsWith("-meters"))
                .max(Comparator.comparingDouble(
                        row -> Objects.requireNonNull(byRow.get(row.name())).perSecond()));
    }

    private static void line(
            StringBuilder table,
            String shape,
            String figure,
            ToDoubleFunction<Round> value,
            @Nullable Figures bare,
            @Nullable Figures ours,
            @Nullable Figures peer,
            String peerName,
            String goal,
            String peersGoal) {
        List<String> cells = List.of(
                shape,
                figure,
                cell(bare, value),
                cell(ours, value),
                ratio(ours, bare, value),
                goal,
                cell(peer, value) + peerName,
                ratio(ours, peer, value),
                peersGoal);
        table.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    private static String cell(@Nullable Figures figures, ToDoubleFunction<Round> value) {
        if (figures == null) {
            return NONE;
        }
        String range = figures.range(value);
        return Figures.number(figures.median(value))
                + (range.isEmpty() ? "" : " (" + range + ")")
                + (figures.flat() ? "" : " †");
    }

    private static String ratio(@Nullable Figures one, @Nullable Figures other, ToDoubleFunction<Round> value) {
        return one == null || other == null || other.median(value) == 0
                ? NONE
                : Figures.fixed(2, one.median(value) / other.median(value));
    }

    private static Optional<Row> first(List<Row> rows, Predicate<Row> wanted) {
        return rows.stream().filter(wanted).findFirst();
    }

    private @Nullable Figures figures(Optional<Row> row) {
        return row.map(each -> byRow.get(each.name())).orElse(null);
    }

    /**
     * What BatchSQS is to reach.
     *
     * @param cpu of the bare client's
     * @param bytes of the bare client's
     * @param peersCpu of the peers' best
     */
    private record Goals(String cpu, String bytes, String peersCpu) {

        static Goals of(String shape) {
            if (shape.contains("/send-")) {
                return new Goals(NONE, NONE, "≤ 0.50");
            }
            return shape.contains("-list-")
                    ? new Goals("≤ 1.50", "≤ 1.50", "≤ 0.33")
                    : new Goals("≤ 2.00", NONE, "≤ 0.33");
        }
    }
}
