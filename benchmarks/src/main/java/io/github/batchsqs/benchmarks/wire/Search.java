/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.wire;

import io.github.batchsqs.benchmarks.report.Tables.Outcome;
import io.github.batchsqs.benchmarks.run.Row;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The peers' best configurations of each shape, by what the suite {@code peer-search} has measured. */
public final class Search {

    /** The suites whose rows are the best of the search. */
    private static final Set<String> CHOOSING = Set.of(Wire.SUITE, Wire.DEFAULTS);

    private Search() {}

    /**
     * Narrows the rows of the suites {@code wire} and {@code defaults}: of the configurations that are searched, only the best of each shape stay, which
     * are the fastest and the one with the least CPU time per message, often the same. Over TLS these are the ones of the shape
     * without it, and with meters those without. Where nothing has been measured, the first one stays.
     *
     * @param all rows of all suites
     * @param found what has been measured, by the row's name
     */
    public static List<Row> narrow(List<Row> all, Map<String, Outcome> found) {
        Map<String, List<Row>> searched = byShape(all);
        List<Row> narrowed = new ArrayList<>();
        for (Row row : all) {
            List<Row> candidates = CHOOSING.contains(suite(row))
                    ? searched.getOrDefault(shape(row).replace(Wire.TLS, ""), List.of())
                    : List.of();
            String label = row.label().replace(Wire.METERS, "");
            if (!labels(candidates).contains(label)
                    || labels(best(candidates, found)).contains(label)) {
                narrowed.add(row);
            }
        }
        return narrowed;
    }

    /** The best of each shape that has been measured, for people. */
    public static String describe(List<Row> all, Map<String, Outcome> found) {
        StringBuilder text = new StringBuilder();
        byShape(all).forEach((shape, rows) -> {
            for (Row row : best(rows, found)) {
                Outcome outcome = found.get(row.name());
                if (outcome != null) {
                    text.append("%s: %s %,d messages/s, %.1f µs of CPU time%n"
                            .formatted(shape, row.label(), Math.round(outcome.perSecond()), outcome.cpuMicros()));
                }
            }
        });
        return text.toString();
    }

    private static List<Row> best(List<Row> rows, Map<String, Outcome> found) {
        List<Row> measured =
                rows.stream().filter(row -> found.containsKey(row.name())).toList();
        if (measured.isEmpty()) {
            return rows.stream().limit(1).toList();
        }
        return Stream.of(
                        Comparator.comparingDouble((Row row) -> -of(row, found).perSecond()),
                        Comparator.comparingDouble((Row row) -> of(row, found).cpuMicros()))
                .map(better -> measured.stream().min(better).orElseThrow())
                .distinct()
                .toList();
    }

    private static Outcome of(Row row, Map<String, Outcome> found) {
        return Objects.requireNonNull(found.get(row.name()));
    }

    private static Map<String, List<Row>> byShape(List<Row> all) {
        return all.stream()
                .filter(row -> suite(row).equals(Wire.SEARCH))
                .collect(Collectors.groupingBy(Search::shape, LinkedHashMap::new, Collectors.toList()));
    }

    private static String suite(Row row) {
        return row.name().substring(0, row.name().indexOf('/'));
    }

    private static String shape(Row row) {
        return row.scenario().substring(suite(row).length() + 1);
    }

    private static List<String> labels(List<Row> rows) {
        return rows.stream().map(Row::label).toList();
    }
}
