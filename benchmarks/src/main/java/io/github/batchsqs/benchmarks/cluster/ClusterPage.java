/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.cluster;

import io.github.batchsqs.benchmarks.report.Environment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

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

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    private static final String FILE = "cluster.json";
    private static final Map<String, String> TITLES = new LinkedHashMap<>();

    static {
        TITLES.put("drain", "A backlog, by the number of instances");
        TITLES.put("steady", "Messages at 60 % of what the instances can do");
        TITLES.put("idle", "Idle instances");
        TITLES.put("backlog", "Slow messages on 16 instances");
        TITLES.put("quota", "At the quotas of SQS");
        TITLES.put("fault", "Faults");
    }

    static ClusterPage empty(String command) {
        return new ClusterPage(Environment.describe(), command, new ArrayList<>(), new ArrayList<>());
    }

    void save(Path raw) throws IOException {
        Path unused = Files.createDirectories(raw);
        JSON.writeValue(raw.resolve(FILE).toFile(), this);
    }

    /** Returns the results of the rows in this folder, if there are any. */
    public static List<ClusterResult> results(Path raw) {
        Path file = raw.resolve(FILE);
        return Files.exists(file)
                ? JSON.readValue(file.toFile(), ClusterPage.class).rows()
                : List.of();
    }

    /** Writes the page from the raw results, if there are any. */
    public static void write(Path raw, Path folder) throws IOException {
        Path file = raw.resolve(FILE);
        if (Files.exists(file)) {
            ClusterPage page = JSON.readValue(file.toFile(), ClusterPage.class);
            Path link = folder.toAbsolutePath()
                    .normalize()
                    .relativize(file.toAbsolutePath().normalize());
            Path unused = Files.writeString(Files.createDirectories(folder).resolve("cluster.md"), page.text(link));
        }
    }

    String text(Path link) {
        StringBuilder page = new StringBuilder("# Several instances\n\n");
        page.append("The benchmarks write this page from [%s](%s). "
                        .formatted(FILE, link.toString().replace('\\', '/')))
                .append(
                        "Each instance is a process of its own with a Spring Boot application at the defaults of BatchSQS: 16 invocations at")
                .append(
                        " once, automatic prefetch. It has a heap of 96 MiB, the serial collector and the first compiler alone, so that 16 of")
                .append(
                        " them fit on the machine. All share one simulated SQS with 5 ms a call. The handler waits, 100 ms where the row names")
                .append(" no other time, so that the processors are not the limit. Each figure is of a single run.")
                .append(" [The simulation](simulation.md) has the rows of standard queues without faults beside these figures.\n\n")
                .append(
                        "*Ideal* is the time in which all invocations of all instances, busy without a pause, do the work. A *share* of 1 is the")
                .append(
                        " fair part of an instance. *Delay* is the time from the arrival in the queue to the handler. *Repeated* counts runs of a")
                .append(
                        " message after its first one, and in brackets those with which the faulty instance has nothing to do.\n\n");
        environment.forEach((key, value) -> page.append("- %s: %s\n".formatted(key, value)));
        TITLES.forEach((section, title) -> {
            List<ClusterResult> of = rows.stream()
                    .filter(row -> row.row().startsWith(section + "/"))
                    .toList();
            if (!of.isEmpty()) {
                page.append("\n## %s\n\n`benchmarks/run cluster --rows '%s/*'`\n\n".formatted(title, section));
                if (section.equals("idle")) {
                    of.forEach(row -> page.append("%s: %s calls a minute and instance.\n"
                            .formatted(row.what(), number(row.callsPerMessage()))));
                } else {
                    table(page, of);
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
                        "A second of the run is %d seconds of the day. The formula of KEDA and its autoscaler decides, on"
                                .formatted(Day.SECONDS))
                .append(
                        " `GetQueueAttributes`, how many of 16 instances listen. Handlers take 36 s of the day, and a pod 10 s or more to start.")
                .append(
                        " The dollars are those of the calls of the listeners, at $0.40 a million; the times are those of the day.\n\n")
                .append(
                        "| `queueLength` | messages | pod hours per million | highest number of pods | changes | calls/message")
                .append(" | $ per million | delay p50 min | p99 min | lost | repeated |\n")
                .append("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
        for (Day.Result day : days) {
            page.append("| ")
                    .append(String.join(
                            " | ",
                            day.what(),
                            String.format(Locale.ENGLISH, "%,d", day.messages()),
                            number(day.podHours()),
                            Integer.toString(day.highestPods()),
                            Integer.toString(day.changes()),
                            String.format(Locale.ENGLISH, "%.3f", day.callsPerMessage()),
                            fixed(day.dollarsPerMillion()),
                            number(day.delayP50Minutes()),
                            number(day.delayP99Minutes()),
                            Long.toString(day.lost()),
                            Long.toString(day.repeated())))
                    .append(" |\n");
        }
    }

    private static void table(StringBuilder page, List<ClusterResult> rows) {
        page.append(
                        "| row | messages | messages/s | seconds | ÷ ideal | calls/message | shares | delay p50 ms | p99 ms | throttled")
                .append(
                        " | lost | repeated | out of order |\n|---|---:|---:|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|\n");
        for (ClusterResult row : rows) {
            page.append("| ")
                    .append(String.join(
                            " | ",
                            row.what(),
                            String.format(Locale.ENGLISH, "%,d", row.messages()),
                            number(row.messages() / row.seconds()),
                            number(row.seconds()),
                            row.idealSeconds() == 0 ? "–" : fixed(row.seconds() / row.idealSeconds()),
                            String.format(Locale.ENGLISH, "%.3f", row.callsPerMessage()),
                            fixed(row.lowestShare()) + "–" + fixed(row.highestShare()),
                            number(row.delayP50Millis()),
                            number(row.delayP99Millis()),
                            Long.toString(row.throttled()),
                            Long.toString(row.lost()),
                            "%d (%d)".formatted(row.repeated(), row.unexplained()),
                            Long.toString(row.outOfOrder())))
                    .append(" |\n");
        }
    }

    private static String number(double value) {
        return String.format(Locale.ENGLISH, value < 100 ? "%.1f" : "%,.0f", value);
    }

    private static String fixed(double value) {
        return String.format(Locale.ENGLISH, "%.2f", value);
    }
}
