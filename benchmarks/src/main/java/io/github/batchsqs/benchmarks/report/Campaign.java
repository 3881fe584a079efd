/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.report;

import io.github.batchsqs.benchmarks.run.Row;
import io.github.batchsqs.benchmarks.run.Work;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;

/**
 * The rows of a suite, scenario after scenario. The contestants of a scenario are started once each and warmed up one after the
 * other. Then each pass measures one round of every contestant in turn, while the others wait, so that what the machine does
 * meanwhile hits all of them alike. A row that the CPU does not limit has a fresh process in each pass instead. Results are
 * written after every round: a run that is broken off keeps what it has.
 *
 * @param suite its name
 * @param rows what is run
 * @param effort how thoroughly
 * @param resume whether what a run that was broken off has left counts as done
 * @param folder where the raw results go
 */
public record Campaign(String suite, List<Row> rows, Effort effort, boolean resume, Path folder) {

    /**
     * How thoroughly rows are run.
     *
     * @param passes how often each row is measured
     * @param warmUp rounds of the warm-up at most, if the CPU limits the row's speed
     */
    public record Effort(int passes, int warmUp) {

        private static final int START_SECONDS = 3;
        private static final int WARM_UP_SECONDS = 2;
        private static final int ROUND_SECONDS = 3;

        /** About how long the rows take, if no figure is flat before the last round of its warm-up. */
        public int seconds(List<Row> rows) {
            return rows.stream()
                    .mapToInt(row -> startSeconds(row) + passes * roundSeconds(row))
                    .sum();
        }

        int startSeconds(Row row) {
            return row.warm() ? START_SECONDS + WARM_UP_SECONDS * warmUp : 0;
        }

        static int roundSeconds(Row row) {
            return row.warm()
                    ? ROUND_SECONDS
                    : START_SECONDS
                            + switch (row.work()) {
                                case Work.Drain drain ->
                                    drain.windowSeconds() + (drain.rest() ? 45 : warmUpSeconds(drain));
                                case Work.Trickle trickle -> trickle.seconds() + Math.max(2, trickle.seconds() / 3);
                                case Work.Send send -> 15;
                            };
        }

        /** A warm-up of as many messages as a round takes as long as the round. */
        private static int warmUpSeconds(Work.Drain drain) {
            return drain.warmUp() < drain.messages() ? 5 : drain.windowSeconds();
        }
    }

    /** Blocks until all is done. */
    public void run(String command, Path log) throws IOException, InterruptedException {
        try (Processes processes = new Processes(log, effort.warmUp())) {
            run(command, processes);
        }
    }

    void run(String command, Starter starter) throws IOException, InterruptedException {
        Results results = resume ? Results.resumed(file(), command) : Results.empty(command);
        List<List<Row>> scenarios = List.copyOf(rows.stream()
                .collect(Collectors.groupingBy(Row::scenario, LinkedHashMap::new, Collectors.toList()))
                .values());
        try (ProgressBar progress = new ProgressBarBuilder()
                .setTaskName(suite)
                .setInitialMax(effort.seconds(rows))
                .setUpdateIntervalMillis(1_000)
                .build()) {
            for (List<Row> scenario : scenarios) {
                try (Contest contest = new Contest(starter)) {
                    start(contest, scenario, results, progress);
                    interleave(contest, scenario, results, progress);
                }
            }
        }
    }

    private void start(Contest contest, List<Row> scenario, Results results, ProgressBar progress)
            throws InterruptedException {
        for (Row row : scenario) {
            progress.setExtraMessage(row.name());
            if (row.warm() && results.times(row.name()) < effort.passes()) {
                contest.start(row);
            }
            progress.stepBy(effort.startSeconds(row));
        }
    }

    private void interleave(Contest contest, List<Row> scenario, Results results, ProgressBar progress)
            throws IOException, InterruptedException {
        for (int pass = 1; pass <= effort.passes(); pass++) {
            for (Row row : scenario) {
                progress.setExtraMessage(row.name());
                if (results.times(row.name()) < pass) {
                    contest.turn(row).ifPresent(results.measurements()::add);
                    results.write(file());
                }
                progress.stepBy(Effort.roundSeconds(row));
            }
        }
    }

    private Path file() {
        return Results.file(folder, suite);
    }
}
