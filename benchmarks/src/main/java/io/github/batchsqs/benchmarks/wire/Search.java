/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.wire;

import io.github.batchsqs.benchmarks.run.Row;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The peers' best configurations of each shape, by what the suite {@code peer-search} has measured. */
public final class Search {

    private static final int BEST = 2;

    private Search() {}

    /**
     * Narrows the rows of the suite {@code wire}: of the configurations that are searched, only the two best of each shape stay. Over
     * TLS these are the ones of the shape without it. Where nothing has been measured, the first two stay.
     *
     * @param rows of the suite
     * @param all rows of all suites
     * @param perSecond messages per second of what has been measured, by the row's name
     */
    public static List<Row> narrow(List<Row> rows, List<Row> all, Map<String, Double> perSecond) {
        Map<String, List<Row>> searched = byShape(all);
        List<Row> narrowed = new ArrayList<>();
        for (Row row : rows) {
            String shape = row.scenario().substring(Wire.SUITE.length() + 1).replace(Wire.TLS, "");
            List<String> candidates = labels(searched.getOrDefault(shape, List.of()));
            List<String> best = labels(best(searched.getOrDefault(shape, List.of()), perSecond));
            if (!candidates.contains(row.label()) || best.contains(row.label())) {
                narrowed.add(row);
            }
        }
        return narrowed;
    }

    /** The best two of each shape that has been measured, for people. */
    public static String describe(List<Row> all, Map<String, Double> perSecond) {
        StringBuilder text = new StringBuilder();
        byShape(all).forEach((shape, rows) -> {
            List<Row> measured = rows.stream()
                    .filter(row -> perSecond.containsKey(row.name()))
                    .toList();
            for (Row row : best(measured, perSecond)) {
                text.append("%s: %s %,d messages/s%n"
                        .formatted(shape, row.label(), Math.round(perSecond.getOrDefault(row.name(), 0.0))));
            }
        });
        return text.toString();
    }

    /** The sort is stable: what has not been measured stays in its order, behind what has. */
    private static List<Row> best(List<Row> rows, Map<String, Double> perSecond) {
        return rows.stream()
                .sorted(Comparator.comparingDouble((Row row) -> -perSecond.getOrDefault(row.name(), 0.0)))
                .limit(BEST)
                .toList();
    }

    private static Map<String, List<Row>> byShape(List<Row> all) {
        return all.stream()
                .filter(row -> row.name().startsWith(Wire.SEARCH + "/"))
                .collect(Collectors.groupingBy(
                        row -> row.scenario().substring(Wire.SEARCH.length() + 1),
                        LinkedHashMap::new,
                        Collectors.toList()));
    }

    private static List<String> labels(List<Row> rows) {
        return rows.stream().map(Row::label).toList();
    }
}
