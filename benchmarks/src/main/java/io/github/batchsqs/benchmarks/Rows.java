/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks;

import io.github.batchsqs.benchmarks.concurrency.Concurrency;
import io.github.batchsqs.benchmarks.contestants.Peers;
import io.github.batchsqs.benchmarks.ladder.Ladder;
import io.github.batchsqs.benchmarks.run.Row;
import io.github.batchsqs.benchmarks.wire.Wire;
import java.util.List;
import java.util.stream.Stream;

/** All rows there are. */
final class Rows {

    private Rows() {}

    static List<Row> all() {
        return Stream.of(Ladder.rows(), Peers.rows(), Wire.rows(), Concurrency.rows())
                .flatMap(List::stream)
                .toList();
    }

    /** Those rows of a suite whose names end in what one of the patterns says, in which {@code *} stands for anything. */
    static List<Row> select(List<Row> rows, String suite, List<String> patterns, boolean quick) {
        List<String> expressions = patterns.stream()
                .map(pattern -> ".*" + pattern.replace(".", "\\.").replace("*", ".*"))
                .toList();
        return rows.stream()
                .filter(row -> row.name().startsWith(suite + "/"))
                .filter(row -> !quick || row.quick())
                .filter(row -> expressions.isEmpty() || expressions.stream().anyMatch(row.name()::matches))
                .toList();
    }
}
