/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.report;

import io.github.batchsqs.benchmarks.run.Measurement;
import io.github.batchsqs.benchmarks.run.Row;
import io.github.batchsqs.benchmarks.run.Work;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;

/**
 * All rows of a suite, pass after pass, so that what the machine does meanwhile hits all of them alike. Results are written
 * after every row: a run that is broken off keeps what it has.
 *
 * @param suite its name
 * @param rows what is run
 * @param passes how often
 * @param effort of each row
 * @param resume whether what a run that was broken off has left counts as done
 * @param folder where the raw results go
 */
public record Campaign(String suite, List<Row> rows, int passes, Effort effort, boolean resume, Path folder) {

    /**
     * How much time a row takes.
     *
     * @param warmUpSeconds at most, if the CPU limits its speed
     * @param rounds measured in each pass, likewise
     */
    public record Effort(int warmUpSeconds, int rounds) {

        /** Without options. */
        public static final Effort FULL = new Effort(30, 3);

        /** With {@code --quick}. */
        public static final Effort QUICK = new Effort(5, 2);

        private static final int START_SECONDS = 3;
        private static final int ROUND_SECONDS = 3;

        /** About how long one pass of the rows takes, if no figure is flat before its warm-up time has passed. */
        public int seconds(List<Row> rows) {
            return rows.stream().mapToInt(this::seconds).sum();
        }

        private int seconds(Row row) {
            if (row.warm()) {
                return START_SECONDS + warmUpSeconds + ROUND_SECONDS * (rounds + 1);
            }
            return START_SECONDS
                    + switch (row.work()) {
                        case Work.Drain drain -> drain.windowSeconds() + (drain.rest() ? 45 : 5);
                        case Work.Trickle trickle -> trickle.seconds() + Math.max(2, trickle.seconds() / 3);
                        case Work.Send send -> 15;
                    };
        }
    }

    private static final String WARMS_THE_SERVER = "peers/drain-10ms-noop-list-standard-100B/bare-loop-200";

    /** Blocks until all is done. */
    public void run(String command, Path log) throws IOException, InterruptedException {
        Path file = Results.file(folder, suite);
        List<String> again = resume ? List.of() : rows.stream().map(Row::name).toList();
        Results results = Results.continued(file, command, again);
        try (Processes processes = new Processes(log);
                ProgressBar progress = new ProgressBarBuilder()
                        .setTaskName(suite)
                        .setInitialMax((long) passes * rows.size())
                        .setUpdateIntervalMillis(1_000)
                        .build()) {
            if (rows.stream().anyMatch(Row::warm)) {
                String unused = processes.row(WARMS_THE_SERVER, effort);
            }
            for (int pass = 1; pass <= passes; pass++) {
                for (Row row : rows) {
                    progress.setExtraMessage(row.name());
                    if (results.times(row.name()) < pass) {
                        run(processes, row, effort, results.measurements());
                        results.write(file);
                    }
                    progress.step();
                }
            }
        }
    }

    private static void run(Processes processes, Row row, Effort effort, List<Measurement> into)
            throws InterruptedException {
        try {
            into.add(Results.measurement(processes.row(row.name(), effort)));
        } catch (IOException e) {
            System.err.println(e.getMessage());
        }
    }
}
