/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.cluster;

import io.github.batchsqs.benchmarks.report.Environment;
import io.github.batchsqs.benchmarks.report.Figures;
import io.github.batchsqs.benchmarks.report.MarkdownTable;
import io.github.batchsqs.benchmarks.report.RawResults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The results of the suite and their page.
 *
 * @param environment the machine and the versions
 * @param command that measured them
 * @param rows in the order in which they ran
 * @param days of the autoscaler
 */
public record ClusterPage(
        Map<String, String> environment, String command, List<ClusterResult> rows, List<Day.Result> days) {

    /** The key of the kind of calls, direct or those of the SDK. */
    public static final String CALLS = "Calls";

    private static final String FILE = "cluster.json";

    static ClusterPage empty(String command) {
        return new ClusterPage(Environment.describe(), command, new ArrayList<>(), new ArrayList<>());
    }

    void save(Path raw) throws IOException {
        RawResults.write(raw.resolve(FILE), this);
    }

    /** Returns the results of the rows in this folder, if there are any. */
    public static List<ClusterResult> results(Path raw) {
        return read(raw).map(ClusterPage::rows).orElse(List.of());
    }

    /** Returns the section of the page; an empty text without results. */
    public static String section(Path raw) {
        return read(raw).map(ClusterPage::text).orElse("");
    }

    /** Returns the raw results, if there are any. */
    public static Optional<ClusterPage> read(Path raw) {
        Path file = raw.resolve(FILE);
        return Files.exists(file) ? Optional.of(RawResults.read(file, ClusterPage.class)) : Optional.empty();
    }

    private String text() {
        StringBuilder page = new StringBuilder("\n## Several instances\n\n");
        page.append(Environment.line("benchmarks/run cluster", environment)).append("""


                Each instance is a process with a Spring Boot application at the defaults but for `concurrency: 16`. All share one simulated SQS with 5 ms
                a call, and a handler waits 100 ms where the row names no other time. Each figure is of a single run. *Ideal* is the time in which busy invocations, or the
                quota, permit the work. A *share* of 1 is the fair part of an instance. *Repeated* has in brackets the runs that the fault does not explain. The raw results have the rows of 2, 4 and 8 instances.

                """);
        MarkdownTable table = new MarkdownTable(
                "row",
                ">messages/s",
                ">÷ ideal",
                ">calls/message",
                "shares",
                ">delay p50 ms",
                ">lost",
                ">repeated",
                ">out of order");
        rows.stream()
                .filter(row -> !row.row().matches("idle/.*|(drain|steady)/(2|4|8)"))
                .forEach(row -> row(table, row));
        page.append(table);
        rows.stream()
                .filter(row -> row.row().startsWith("idle/"))
                .forEach(row -> page.append("\nIdle, %s: %s calls a minute and instance.\n"
                        .formatted(row.what(), Figures.number(row.callsPerMessage()))));
        if (rows.stream().anyMatch(row -> row.row().startsWith("fault/"))
                && rows.stream().noneMatch(row -> row.row().startsWith("fault/clock"))) {
            page.append("\nThe rows of a wrong clock are missing: the machine had no libfaketime.\n");
        }
        if (!days.isEmpty()) {
            days(page);
        }
        return page.toString();
    }

    private void days(StringBuilder page) {
        page.append("\n### A day with KEDA\n\n")
                .append(
                        ("%,d messages/s arrive at the peak of the day and 5 %% of that at night; a pod does %d a second. One second of the run stands for %d of the day."
                                        + " Calls cost $0.40 a million, pods $%.2f an hour, an assumption. A pod that is always busy needs %.2f pod hours for a million messages, one that"
                                        + " is there all the time from 0 to 5 o'clock %.2f. Delays below %.0f s have no meaning.\n\n")
                                .formatted(
                                        Day.PEAK_PER_SECOND,
                                        Day.POD_PER_SECOND,
                                        Day.SECONDS,
                                        Day.DOLLARS_PER_POD_HOUR,
                                        1e6 / Day.POD_PER_SECOND / 3_600,
                                        Day.nightPodHours(),
                                        Day.RESOLUTION_SECONDS));
        MarkdownTable table = new MarkdownTable(
                "`queueLength`",
                ">pod hours/million",
                ">highest number of pods",
                ">calls/message",
                ">$ calls",
                ">$ pods",
                ">delay p50 s",
                ">p99 s");
        for (Day.Result day : days) {
            table.row(
                    name(day.what(), day.failed()),
                    Figures.fixed(2, day.podHours()),
                    Integer.toString(day.highestPods()),
                    Figures.fixed(3, day.callsPerMessage()),
                    Figures.fixed(2, day.callDollars()),
                    Figures.fixed(2, day.podDollars()),
                    daySeconds(day.delayP50Seconds()),
                    daySeconds(day.delayP99Seconds()));
        }
        page.append(table);
    }

    private static String name(String what, boolean failed) {
        return failed ? what + " **(failed)**" : what;
    }

    private static String daySeconds(double seconds) {
        return seconds < Day.RESOLUTION_SECONDS
                ? "< " + Figures.fixed(0, Day.RESOLUTION_SECONDS)
                : Figures.number(seconds);
    }

    private static void row(MarkdownTable table, ClusterResult row) {
        table.row(
                name(row.what(), row.failed()),
                Figures.number(row.messages() / row.seconds()),
                row.idealSeconds() == 0 ? "–" : Figures.fixed(2, row.seconds() / row.idealSeconds()),
                Figures.fixed(3, row.callsPerMessage()),
                Figures.fixed(2, row.lowestShare()) + "–" + Figures.fixed(2, row.highestShare()),
                Figures.number(row.delayP50Millis()),
                Long.toString(row.lost()),
                "%d (%d)".formatted(row.repeated(), row.unexplained()),
                Long.toString(row.outOfOrder()));
    }
}
