/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.report;

import io.github.batchsqs.benchmarks.report.Starter.Started;
import io.github.batchsqs.benchmarks.run.Measurement;
import io.github.batchsqs.benchmarks.run.Row;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The contestants of one scenario. One that fails takes no further turn. */
final class Contest implements AutoCloseable {

    private final Starter starter;
    private final Map<String, Started> waiting = new LinkedHashMap<>();
    private final Set<String> failed = new HashSet<>();

    Contest(Starter starter) {
        this.starter = starter;
    }

    /** Starts a contestant that stays for all of its turns. */
    void start(Row row) throws InterruptedException {
        try {
            waiting.put(row.name(), starter.start(row));
        } catch (IOException e) {
            failed(row, e);
        }
    }

    /** Measures one round, of a process that is started for it unless there is one; empty if the contestant has failed. */
    Optional<Measurement> turn(Row row) throws InterruptedException {
        if (failed.contains(row.name())) {
            return Optional.empty();
        }
        Started there = waiting.get(row.name());
        try {
            if (there != null) {
                return Optional.of(there.measure());
            }
            try (Started fresh = starter.start(row)) {
                return Optional.of(fresh.measure());
            }
        } catch (IOException e) {
            failed(row, e);
            return Optional.empty();
        }
    }

    private void failed(Row row, IOException e) {
        System.err.println(e.getMessage());
        failed.add(row.name());
    }

    /** Ends all contestants. */
    @Override
    public void close() {
        waiting.values().forEach(Started::close);
    }
}
