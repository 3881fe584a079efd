/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.cluster;

import io.github.batchsqs.benchmarks.run.RowPatterns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** Runs the rows of several instances, one after the other, and writes their results after each. */
public final class ClusterSuite {

    /** The suite. */
    public static final String SUITE = "cluster";

    private static final int LONGEST_MILLIS = 120_000;
    private static final double CALLS_A_MINUTE = 60e6;

    private final List<ClusterRow> rows;
    private final List<Day> days;
    private final ClusterPage page;
    private final Path raw;

    private ClusterSuite(List<ClusterRow> rows, List<Day> days, ClusterPage page, Path raw) {
        this.rows = rows;
        this.days = days;
        this.page = page;
        this.raw = raw;
    }

    /** Returns the names of the rows that the patterns choose. */
    public static List<String> names(List<String> patterns, boolean quick) {
        return Stream.concat(
                        chosen(patterns, quick).stream().map(ClusterRow::name),
                        days(patterns, quick).stream().map(Day::name))
                .toList();
    }

    /**
     * Runs them.
     *
     * @param raw where the results go
     * @return whether all rows kept the guarantees
     */
    public static boolean run(String command, List<String> patterns, boolean quick, Path raw)
            throws IOException, InterruptedException {
        List<ClusterRow> rows = chosen(patterns, quick);
        if (!quick && !Files.exists(ClusterRows.FAKE_CLOCK)) {
            System.err.println(
                    "The rows fault/clock are left out: they need libfaketime (apt-get install libfaketime), which has "
                            + ClusterRows.FAKE_CLOCK);
        }
        ClusterSuite suite = new ClusterSuite(rows, days(patterns, quick), ClusterPage.empty(command), raw);
        try (Cluster cluster = new Cluster()) {
            try {
                suite.run(cluster);
            } catch (IOException e) {
                System.err.println(cluster.log());
                throw e;
            }
        }
        return suite.page.rows().stream().noneMatch(ClusterResult::failed)
                && suite.page.days().stream().noneMatch(Day.Result::failed);
    }

    private static List<ClusterRow> chosen(List<String> patterns, boolean quick) {
        return ClusterRows.all().stream()
                .filter(row -> !quick || row.quick())
                .filter(row -> RowPatterns.choose(patterns, row.name()))
                .toList();
    }

    private static List<Day> days(List<String> patterns, boolean quick) {
        return Day.all().stream()
                .filter(day -> !quick && RowPatterns.choose(patterns, day.name()))
                .toList();
    }

    private void run(Cluster cluster) throws IOException, InterruptedException {
        int size = rows.stream().mapToInt(ClusterRow::most).max().orElse(0);
        size = days.isEmpty() ? size : ClusterRows.ALL;
        System.err.println(rows.size() + days.size() + " rows; starting " + size + " instances");
        cluster.launch(size);
        if (size > 0) {
            page.environment().put(ClusterPage.CALLS, cluster.instance(0).calls());
        }
        for (String listener : List.of(ClusterRow.STANDARD, ClusterRow.FIFO)) {
            ClusterResult unused = measure(cluster, ClusterRows.warmUp(listener, size));
        }
        for (ClusterRow row : rows) {
            ClusterResult result = measure(cluster, row);
            System.err.println(result);
            page.rows().add(result);
            page.save(raw);
        }
        for (Day day : days) {
            Day.Result result = DayRun.run(day, cluster);
            System.err.println(result);
            page.days().add(result);
            page.save(raw);
        }
    }

    private static ClusterResult measure(Cluster cluster, ClusterRow row) throws IOException, InterruptedException {
        cluster.conditions(row.setting().conditions());
        JsonNode unused = cluster.control("quotas" + row.setting().quotas());
        cluster.create(row.queue(), row.setting().queue());
        cluster.listen(row.listener(), row.instances());
        unused = cluster.control("reset?queue=" + row.queue());
        long messages = row.action().run(cluster, row.queue());
        JsonNode stats = messages == 0
                ? cluster.control("stats")
                : cluster.control("await?deleted=" + messages + "&withinMillis=" + LONGEST_MILLIS);
        int count = row.most();
        cluster.silence(row.listener(), count);
        Verdict verdict = cluster.verdict(count);
        double calls = stats.get("totalCalls").asLong();
        return new ClusterResult(
                row.name(),
                row.what(),
                messages,
                verdict.seconds(),
                row.idealSeconds(),
                messages == 0
                        ? calls * CALLS_A_MINUTE / stats.get("elapsedMicros").asLong() / count
                        : calls / messages,
                verdict.lowestShare(),
                verdict.highestShare(),
                verdict.delayMillis(0.5),
                verdict.delayMillis(0.99),
                ClusterResult.Calls.receives(stats),
                ClusterResult.Calls.deletes(stats),
                Math.max(verdict.lost(messages), messages - stats.get("deleted").asLong()),
                verdict.repeated(),
                verdict.unexplained(),
                verdict.outOfOrder(),
                showsNothing(row, verdict, stats));
    }

    /** Whether what the row is about did not happen. */
    static boolean showsNothing(ClusterRow row, Verdict verdict, JsonNode stats) {
        return (row.faulty() >= 0 && verdict.repeated() == 0)
                || (row.watched() >= 0 && verdict.begun(row.watched()) == 0)
                || (row.most() > row.instances() && verdict.lowestShare() == 0)
                || (row.inFlightLimit() > 0 && stats.get("mostInFlight").asInt() < row.inFlightLimit())
                || (row.throttles() && stats.get("throttled").asLong() == 0);
    }
}
