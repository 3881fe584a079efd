/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks;

import io.github.batchsqs.benchmarks.concurrency.Concurrency;
import io.github.batchsqs.benchmarks.contestants.Peers;
import io.github.batchsqs.benchmarks.ladder.Ladder;
import io.github.batchsqs.benchmarks.run.Row;
import io.github.batchsqs.benchmarks.run.RowPatterns;
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

    /** Returns those rows of a suite that the patterns choose. */
    static List<Row> select(List<Row> rows, String suite, List<String> patterns, boolean quick) {
        return rows.stream()
                .filter(row -> row.name().startsWith(suite + "/"))
                .filter(row -> !quick || row.quick())
                .filter(row -> RowPatterns.choose(patterns, row.name()))
                .toList();
    }
}
