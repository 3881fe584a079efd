/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulation;

import io.github.batchsqs.benchmarks.cluster.ClusterPage;
import io.github.batchsqs.benchmarks.cluster.ClusterResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The results of the simulation and their page.
 *
 * @param command that ran it
 * @param seed of all rows
 * @param rows in the order of the suite
 */
public record SimulationPage(String command, long seed, List<SimulationResult> rows) {

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    private static final String FILE = "simulation.json";

    void save(Path raw) throws IOException {
        Path unused = Files.createDirectories(raw);
        JSON.writeValue(raw.resolve(FILE).toFile(), this);
    }

    /**
     * Writes the page from the raw results, if there are any.
     *
     * @param raw the folder of the results
     * @param processes the folder of the results of the suite cluster
     * @param folder of the page
     */
    public static void write(Path raw, Path processes, Path folder) throws IOException {
        Path file = raw.resolve(FILE);
        if (Files.exists(file)) {
            SimulationPage page = JSON.readValue(file.toFile(), SimulationPage.class);
            Path link = folder.toAbsolutePath()
                    .normalize()
                    .relativize(file.toAbsolutePath().normalize());
            Path unused = Files.writeString(
                    Files.createDirectories(folder).resolve("simulation.md"),
                    page.text(link, ClusterPage.results(processes)));
        }
    }

    String text(Path link, List<ClusterResult> processes) {
        StringBuilder page = new StringBuilder("# Many instances, simulated\n\n");
        page.append("The benchmarks write this page from [%s](%s). "
                        .formatted(FILE, link.toString().replace('\\', '/')))
                .append(
                        "`benchmarks/run simulation` runs the engine in virtual time: its pollers with their scaling and their spacing, its")
                .append(
                        " in-flight limit, hand-off, invocations, accumulators of deletes and heartbeats are the classes of the library, with their")
                .append(
                        " own loops ([ADR 0024](../adr/0024-simulation.md)). The queue, the network with the client's retries, and the duration of")
                .append(
                        " the handlers are models. Processors are not simulated: what is between two waits takes no time, so a rate here is one that")
                .append(
                        " the settings permit. A seed (%d) decides everything; the figures are the same on every machine. A run fails if a"
                                .formatted(seed))
                .append(" message is not handled.\n\n")
                .append(
                        "*As published* means calls of 20 ms in the median and 200 ms in the 99th percentile, with a log-normal distribution and a")
                .append(
                        " mean of %s ms (AWS: [\"tens or low hundreds of milliseconds\"](https://aws.amazon.com/sqs/faqs/)), one failed call in"
                                .formatted(number(Network.PUBLISHED.meanMillis())))
                .append(
                        " 1,000 (the limit of the [service level agreement](https://aws.amazon.com/messaging/sla/)), and one duplicate in 100,000")
                .append(
                        " messages. *Pollers*, *deletes* (calls in flight) and *invocations* are means of one instance, *in flight* is the mean of all")
                .append(" together. *Delay* is the time from the arrival in the queue to the handler.\n");
        besideProcesses(page, processes);
        many(page);
        pollers(page);
        sizes(page);
        inFlight(page);
        calls(page);
        return page.toString();
    }

    private void besideProcesses(StringBuilder page, List<ClusterResult> processes) {
        Map<String, ClusterResult> byRow = processes.stream()
                .collect(Collectors.toMap(ClusterResult::row, Function.identity(), (one, other) -> other));
        List<SimulationResult> both =
                rows.stream().filter(row -> byRow.containsKey(row.row())).toList();
        section(
                page,
                both,
                "Beside the processes",
                "drain/*,steady/*,idle/*,backlog/*,quota/*",
                """
                The rows of [several instances](cluster.md) on standard queues, with the same 5 ms a call, settings and messages. Each cell has the
                figure of the processes, and behind it that of the simulation. The row without messages has calls a minute and instance.

                Backlogs differ by the time of the processors, which the simulation does not have. At a steady rate the simulated messages arrive at
                equal intervals, so that each is received alone; among the processes the machine delays some, which then arrive together. Messages that
                arrive independently of each other are closer to the processes: see [the calls](#calls-by-the-rate-of-an-instance) at 100 messages/s. At the quota of
                messages in flight the order in which SQS serves the waiting receives decides, and nobody knows it.
                """,
                "| row | messages/s | calls/message | delay p50 ms | p99 ms | shares |\n|---|---:|---:|---:|---:|---|\n",
                row -> {
                    ClusterResult process = Objects.requireNonNull(byRow.get(row.row()));
                    boolean idle = row.messages() == 0;
                    return List.of(
                            row.what(),
                            idle
                                    ? "–"
                                    : number(process.messages() / process.seconds()) + " → " + number(row.perSecond()),
                            calls(process.callsPerMessage()) + " → " + calls(row.callsPerMessage()),
                            idle ? "–" : number(process.delayP50Millis()) + " → " + number(row.delayP50Millis()),
                            idle ? "–" : number(process.delayP99Millis()) + " → " + number(row.delayP99Millis()),
                            idle
                                    ? "–"
                                    : fixed(process.lowestShare()) + "–" + fixed(process.highestShare()) + " → "
                                            + fixed(row.lowestShare()) + "–" + fixed(row.highestShare()));
                });
    }

    private void many(StringBuilder page) {
        section(
                page,
                of("many"),
                "200 instances, 100,000 messages/s",
                "many/*",
                """
                Calls as published, `concurrency: 16` and the defaults unless the row has others. Messages arrive in tens, as a full call sends them, or one by one, and
                independently of each other. The durations of handlers have an exponential distribution, those of the backlog are equal. The rows count
                4 s after a warm-up of 2 s.
                """,
                "| row | messages/s | calls/message | messages/receive | messages/delete | delay p50 ms | p99 ms | shares | pollers"
                        + " | deletes | invocations | in flight | highest | failed calls | repeated |\n"
                        + "|---|---:|---:|---:|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|\n",
                row -> List.of(
                        row.what(),
                        number(row.perSecond()),
                        calls(row.callsPerMessage()),
                        number(row.perReceive()),
                        number(row.perDelete()),
                        number(row.delayP50Millis()),
                        number(row.delayP99Millis()),
                        fixed(row.lowestShare()) + "–" + fixed(row.highestShare()),
                        number(row.pollers()),
                        number(row.deletes()),
                        number(row.invocations()),
                        number(row.inFlight()),
                        number(row.highestInFlight()),
                        Long.toString(row.errors()),
                        Long.toString(row.repeated())));
    }

    private void pollers(StringBuilder page) {
        section(
                page,
                of("pollers"),
                "The maximum of 32 pollers",
                "pollers/*",
                """
                A backlog on one instance at the defaults, with handlers that take no time. The formula is 10 × 32 ÷ round trip, with the mean of
                the round trips.
                """,
                "| calls | formula, messages/s | simulated | seconds |\n|---|---:|---:|---:|\n",
                row -> List.of(
                        row.what(), number(row.messages() / 10.0), number(row.perSecond()), number(row.seconds())));
    }

    private void sizes(StringBuilder page) {
        section(
                page,
                of("size"),
                "The formulas for sizing",
                "size/*",
                """
                100,000 messages/s with calls as published: on 8 instances with batches of 100 of 40 ms, and on 200 instances with single
                messages of 100 ms, both at the defaults otherwise. Pollers, deletes and invocations are multiples of the formulas of [Capacity](../capacity.md#sizing).
                100,000 messages/s arrive on average, and the same ones in all rows with the same number of instances. The 4 s that count have up to 0.5 % more
                or less, so a row falls behind if it does fewer than the others of its number of instances, and its delays grow with the time that counts.
                """,
                "| row | messages/s | delay p50 ms | p99 ms | calls by the formula | pollers | deletes | invocations by the formula"
                        + " | invocations | in flight by the formula | in flight |\n"
                        + "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
                row -> List.of(
                        row.instances() + " instances, " + row.what(),
                        number(row.perSecond()),
                        number(row.delayP50Millis()),
                        number(row.delayP99Millis()),
                        number(row.formulaCalls()),
                        number(row.pollers()),
                        number(row.deletes()),
                        number(row.formulaInvocations()),
                        number(row.invocations()),
                        number(row.formulaInFlight()),
                        number(row.inFlight())));
    }

    private void inFlight(StringBuilder page) {
        section(
                page,
                of("in-flight"),
                "The in-flight limit",
                "in-flight/*",
                """
                10 instances at 700 messages/s each, with calls as published, `concurrency: 16` and otherwise at the defaults; invocations of one message, 20 ms, so that 16
                invocations permit 800. By the formula of [Capacity](../capacity.md#sizing) the in-flight limit must be 70, which is 16 and a `prefetch` of 54. The same
                messages arrive in all rows; one that does fewer of them than the others falls behind.
                """,
                """
                | row | messages/s | delay p50 ms | p99 ms | pollers | deletes | invocations | in flight | highest |
                |---|---:|---:|---:|---:|---:|---:|---:|---:|
                """,
                row -> List.of(
                        row.what(),
                        number(row.perSecond()),
                        number(row.delayP50Millis()),
                        number(row.delayP99Millis()),
                        number(row.pollers()),
                        number(row.deletes()),
                        number(row.invocations()),
                        number(row.inFlight()),
                        number(row.highestInFlight())));
    }

    private void calls(StringBuilder page) {
        section(
                page,
                of("calls"),
                "Calls, by the rate of an instance",
                "calls/*",
                """
                The defaults, invocations of one message, 5 ms; messages arrive one by one and independently of each other, 10 ms a call.
                """,
                """
                | row | calls/message | messages/receive | messages/delete | pollers | shares | delay p50 ms | p99 ms |
                |---|---:|---:|---:|---:|---|---:|---:|
                """,
                row -> List.of(
                        row.what(),
                        calls(row.callsPerMessage()),
                        number(row.perReceive()),
                        number(row.perDelete()),
                        number(row.pollers()),
                        fixed(row.lowestShare()) + "–" + fixed(row.highestShare()),
                        number(row.delayP50Millis()),
                        number(row.delayP99Millis())));
    }

    private List<SimulationResult> of(String section) {
        return rows.stream().filter(row -> row.row().startsWith(section + "/")).toList();
    }

    private static void section(
            StringBuilder page,
            List<SimulationResult> rows,
            String title,
            String patterns,
            String text,
            String head,
            Function<SimulationResult, List<String>> cells) {
        if (rows.isEmpty()) {
            return;
        }
        page.append(
                "\n## %s\n\n`benchmarks/run simulation --rows '%s'`\n\n%s\n%s".formatted(title, patterns, text, head));
        rows.forEach(row ->
                page.append("| ").append(String.join(" | ", cells.apply(row))).append(" |\n"));
    }

    private static String number(double value) {
        return String.format(Locale.ENGLISH, value < 100 ? "%.1f" : "%,.0f", value);
    }

    private static String calls(double value) {
        return String.format(Locale.ENGLISH, "%.3f", value);
    }

    private static String fixed(double value) {
        return String.format(Locale.ENGLISH, "%.2f", value);
    }
}
