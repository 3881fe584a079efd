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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
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
    private static final Map<String, String> TITLES = new LinkedHashMap<>();

    static {
        TITLES.put("drain", "A backlog, by the number of instances");
        TITLES.put("steady", "Messages at 60 % of what the instances can do");
        TITLES.put("idle", "Idle instances");
        TITLES.put("backlog", "A backlog of slow messages, and one of FIFO groups, on 16 instances");
        TITLES.put("quota", "At the quotas of SQS, on 16 instances");
        TITLES.put("fault", "Faults");
    }

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

    /** Writes the page from the raw results, if there are any. */
    public static void write(Path raw, Path folder) throws IOException {
        Optional<ClusterPage> page = read(raw);
        if (page.isPresent()) {
            String text = page.get().text(RawResults.link(raw.resolve(FILE), folder));
            Path unused = Files.writeString(Files.createDirectories(folder).resolve("cluster.md"), text);
        }
    }

    /** Returns the raw results, if there are any. */
    public static Optional<ClusterPage> read(Path raw) {
        Path file = raw.resolve(FILE);
        return Files.exists(file) ? Optional.of(RawResults.read(file, ClusterPage.class)) : Optional.empty();
    }

    String text(String link) {
        StringBuilder page = new StringBuilder("# Several instances\n\n");
        page.append("The benchmarks write this page from [%s](%s). ".formatted(FILE, link))
                .append(
                        "Each instance is a process of its own with a Spring Boot application at the defaults of BatchSQS but for `concurrency: 16`: 16 invocations at")
                .append(
                        " once, automatic prefetch. It has a heap of 96 MiB, the serial collector and the first compiler alone, so that 16 of")
                .append(
                        " them fit on the machine. All share one simulated SQS with 5 ms a call. The handler waits, 100 ms where the row names")
                .append(" no other time, so that the processors are not the limit. Each figure is of a single run.")
                .append(
                        " [The simulation](simulation.md) has the rows of standard queues without faults beside these figures.\n\n")
                .append(
                        "*Ideal* is the time in which all invocations of all instances, busy without a pause, do the work; in the rows of quotas")
                .append(
                        " it is the time in which the quota permits it, beginning with the calls of a second that were not used before. A *share* of 1 is the fair part of an instance. *Delay* is the time from the")
                .append(
                        " arrival in the queue to the handler. *Throttled* counts receives and deletes that exceeded a quota. *Repeated* counts runs")
                .append(
                        " of a message after its first one, and in brackets those that the fault does not explain: it explains one more run of a message that the faulty instance was running.\n\n");
        page.append(Environment.list(environment));
        TITLES.forEach((section, title) -> {
            List<ClusterResult> of = rows.stream()
                    .filter(row -> row.row().startsWith(section + "/"))
                    .toList();
            if (!of.isEmpty()) {
                page.append("\n## %s\n\n`benchmarks/run cluster --rows '%s/*'`\n\n".formatted(title, section));
                if (section.equals("idle")) {
                    of.forEach(row -> page.append("%s: %s calls a minute and instance.\n"
                            .formatted(row.what(), Figures.number(row.callsPerMessage()))));
                } else {
                    table(page, of);
                }
                if (section.equals("quota")) {
                    calls(page, of);
                }
                if (section.equals("fault")
                        && of.stream().noneMatch(row -> row.row().startsWith("fault/clock"))) {
                    page.append("\nThe rows of a wrong clock are missing: the machine had no libfaketime.\n");
                }
            }
        });
        if (!days.isEmpty()) {
            days(page);
        }
        return page.toString();
    }

    private void days(StringBuilder page) {
        page.append("\n## A day with KEDA\n\n`benchmarks/run cluster --rows 'day/*'`\n\n")
                .append(
                        ("Messages arrive at %,d a second at the peak of the day and at 5 %% of that at night; the handler takes %d ms, so a pod does %d"
                                        + " a second. The run has one second in %d of the day, and the autoscaler's clock is as many times as fast. So a backlog")
                                .formatted(Day.PEAK_PER_SECOND, Day.HANDLER_MILLIS, Day.POD_PER_SECOND, Day.SECONDS))
                .append(
                        " in the run is so many times smaller, and the autoscaler sees it multiplied; rates, calls and messages in flight are those of")
                .append(
                        " the day. The formula of KEDA and its autoscaler decides, on `GetQueueAttributes`, how many of %d pods listen. "
                                .formatted(Day.PODS))
                .append(
                        "Pod hours count from the decision to start a pod to the decision to stop it. The dollars are those of a million messages: calls of the listeners at")
                .append(
                        " $0.40 a million, pods at $%.2f an hour, an assumption. One pod that is busy all the time needs %.2f pod hours for a million messages, and one"
                                .formatted(Day.DOLLARS_PER_POD_HOUR, 1e6 / Day.POD_PER_SECOND / 3_600))
                .append(" that is there all the time from 0 to 5 o'clock %.2f.\n\n".formatted(Day.nightPodHours()))
                .append(
                        "What takes part in no backlog is multiplied wrongly. Delays are multiplied, so those below %.0f s have no meaning: %.0f ms of the run, a"
                                .formatted(Day.RESOLUTION_SECONDS, 1e3 * Day.RESOLUTION_SECONDS / Day.SECONDS))
                .append(
                        " call and the space between two receives, which a message of the day waits, too. A message that is visible when the autoscaler looks")
                .append(
                        " counts %d, so with a small `queueLength` the autoscaler wants all pods for it: that row has more pods, and emptier receives, than the day."
                                .formatted(Day.SECONDS))
                .append(" The numbers of `GetQueueAttributes` are exact here, and those of SQS some seconds old.\n\n");
        MarkdownTable table = new MarkdownTable(
                "`queueLength`",
                ">messages of the run",
                ">pod hours/million",
                ">highest number of pods",
                ">changes",
                ">calls/message",
                ">$ calls",
                ">$ pods",
                ">delay p50 s",
                ">p99 s",
                ">lost",
                ">repeated");
        for (Day.Result day : days) {
            table.row(
                    name(day.what(), day.failed()),
                    String.format(Locale.ENGLISH, "%,d", day.messages()),
                    Figures.fixed(2, day.podHours()),
                    Integer.toString(day.highestPods()),
                    Integer.toString(day.changes()),
                    Figures.fixed(3, day.callsPerMessage()),
                    Figures.fixed(2, day.callDollars()),
                    Figures.fixed(2, day.podDollars()),
                    daySeconds(day.delayP50Seconds()),
                    daySeconds(day.delayP99Seconds()),
                    Long.toString(day.lost()),
                    Long.toString(day.repeated()));
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

    private static void table(StringBuilder page, List<ClusterResult> rows) {
        MarkdownTable table = new MarkdownTable(
                "row",
                ">messages",
                ">messages/s",
                ">seconds",
                ">÷ ideal",
                ">calls/message",
                "shares",
                ">delay p50 ms",
                ">p99 ms",
                ">throttled",
                ">lost",
                ">repeated",
                ">out of order");
        for (ClusterResult row : rows) {
            table.row(
                    name(row.what(), row.failed()),
                    String.format(Locale.ENGLISH, "%,d", row.messages()),
                    Figures.number(row.messages() / row.seconds()),
                    Figures.number(row.seconds()),
                    row.idealSeconds() == 0 ? "–" : Figures.fixed(2, row.seconds() / row.idealSeconds()),
                    Figures.fixed(3, row.callsPerMessage()),
                    Figures.fixed(2, row.lowestShare()) + "–" + Figures.fixed(2, row.highestShare()),
                    Figures.number(row.delayP50Millis()),
                    Figures.number(row.delayP99Millis()),
                    Long.toString(row.throttled()),
                    Long.toString(row.lost()),
                    "%d (%d)".formatted(row.repeated(), row.unexplained()),
                    Long.toString(row.outOfOrder()));
        }
        page.append(table);
    }

    private static void calls(StringBuilder page, List<ClusterResult> rows) {
        page.append(
                        "\nSQS permits 120,000 messages in flight and 300 calls a second of each kind; rows that permit less do so because the machine would not reach that.")
                .append(
                        " So the listeners called, with the messages of a call that was neither throttled nor empty:\n\n");
        MarkdownTable table = new MarkdownTable(
                "row",
                ">receives/s",
                ">throttled",
                ">empty",
                ">messages/receive",
                ">deletes/s",
                ">throttled",
                ">messages/delete");
        for (ClusterResult row : rows) {
            table.row(
                    row.what(),
                    Figures.number(row.receives().all() / row.seconds()),
                    part(row.receives().throttled(), row.receives().all()),
                    part(row.receives().empty(), row.receives().all()),
                    Figures.number(row.receives().messagesPerCall()),
                    Figures.number(row.deletes().all() / row.seconds()),
                    part(row.deletes().throttled(), row.deletes().all()),
                    Figures.number(row.deletes().messagesPerCall()));
        }
        page.append(table);
    }

    private static String part(long some, long all) {
        return all == 0 ? "–" : String.format(Locale.ENGLISH, "%.0f %%", 100.0 * some / all);
    }
}
