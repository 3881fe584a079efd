/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.once;

import io.github.batchsqs.benchmarks.once.ContestResult.Contestant;
import io.github.batchsqs.benchmarks.once.FleetResult.Phase;
import io.github.batchsqs.benchmarks.once.GrowthResult.Sample;
import io.github.batchsqs.benchmarks.report.Environment;
import io.github.batchsqs.benchmarks.report.Figures;
import io.github.batchsqs.benchmarks.report.MarkdownTable;
import io.github.batchsqs.benchmarks.report.RawResults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * The results of the suite and their page.
 *
 * @param environment the machine and the versions
 * @param command that measured them
 * @param contests in the order in which they ran
 * @param fleets the same
 * @param growth the same
 */
public record OncePage(
        Map<String, String> environment,
        String command,
        List<ContestResult> contests,
        List<FleetResult> fleets,
        List<GrowthResult> growth) {

    private static final String FILE = "effectively-once.json";
    private static final double MIB = 1 << 20;

    static OncePage empty(String command, String postgres) {
        Map<String, String> environment = Environment.describe();
        environment.put("PostgreSQL", postgres);
        return new OncePage(environment, command, new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }

    void save(Path raw) throws IOException {
        RawResults.write(raw.resolve(FILE), this);
    }

    /** Returns the section of the page; an empty text without results. */
    public static String section(Path raw) {
        Path file = raw.resolve(FILE);
        return Files.exists(file) ? RawResults.read(file, OncePage.class).text() : "";
    }

    private String text() {
        StringBuilder page = new StringBuilder("\n## Effectively once: what it costs\n\n");
        page.append(Environment.line("benchmarks/run effectively-once", environment))
                .append(
                        "\n\nApplication, simulated SQS (%d ms a call) and PostgreSQL share the processors; a commit waits for the disk. *Ratio*: of neighbouring rounds.\n"
                                .formatted(SimulatorProcess.LATENCY_MILLIS));
        throughput(page);
        fleets(page);
        growth(page);
        return page.toString();
    }

    private void throughput(StringBuilder page) {
        if (contests.isEmpty()) {
            return;
        }
        page.append(
                        "\n*Inbox*: a listener with `concurrency: %d` inserts a row for each message, without the inbox and with it. "
                                .formatted(Servers.CONCURRENCY))
                .append("*Outbox*: %d threads insert one row and send, with `after-commit` and with `outbox`.\n\n"
                        .formatted(Servers.CONCURRENCY));
        MarkdownTable table = new MarkdownTable(
                "messages/transaction",
                ">messages/s without",
                ">with",
                ">ratio",
                ">statements/message without",
                ">with");
        for (ContestResult row : contests) {
            table.row(
                    row.row().substring(0, row.row().indexOf('/')) + ", " + row.what(),
                    messagesPerSecond(row.without()),
                    messagesPerSecond(row.with()),
                    ratio(row),
                    statementsPerMessage(row.without()),
                    statementsPerMessage(row.with()));
        }
        page.append(table);
    }

    private static String statementsPerMessage(Contestant contestant) {
        Statements counted = contestant.statements();
        return Figures.fixed(3, (double) counted.all() / counted.messages());
    }

    private void fleets(StringBuilder page) {
        if (fleets.isEmpty()) {
            return;
        }
        page.append("\nOne group, %d ms a call; milliseconds from commit to SQS:\n\n".formatted(Fleet.CALL_MILLIS));
        MarkdownTable table = new MarkdownTable("instances", ">p50", ">p99", ">maximum");
        for (FleetResult row : fleets) {
            for (Phase phase : row.phases()) {
                table.row(
                        phase.what() + (row.inOrder() ? "" : ", out of order"),
                        Figures.number(phase.median()),
                        Figures.number(phase.p99()),
                        Figures.number(phase.maximum()));
            }
        }
        page.append(table);
    }

    private void growth(StringBuilder page) {
        if (growth.isEmpty()) {
            return;
        }
        page.append("\nThe tables after a run with transactions of %d messages at %,.0f messages/s.\n\n"
                .formatted(Growth.BATCH, OnceRows.PER_SECOND));
        MarkdownTable table =
                new MarkdownTable("row", ">messages", ">rows", ">dead", ">largest table MiB", ">largest indexes MiB");
        for (GrowthResult row : growth) {
            Sample last = row.samples().getLast();
            table.row(
                    row.what(),
                    count(last.messages()),
                    count(last.rows()),
                    count(last.deadRows()),
                    Figures.number(largest(row, Sample::tableBytes)),
                    Figures.number(largest(row, Sample::indexBytes)));
        }
        page.append(table);
    }

    private static double largest(GrowthResult row, ToLongFunction<Sample> bytes) {
        return row.samples().stream().mapToLong(bytes).max().orElse(0) / MIB;
    }

    private static String count(long value) {
        return String.format(Locale.ENGLISH, "%,d", value);
    }

    private static String messagesPerSecond(Contestant contestant) {
        return Spread.of(contestant.rounds(), Round::messagesPerSecond).text(Figures::number);
    }

    private static String ratio(ContestResult row) {
        return Spread.ofQuotients(row.with().rounds(), row.without().rounds(), Round::messagesPerSecond)
                .text(value -> Figures.fixed(2, value));
    }
}
