/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.once;

import io.github.batchsqs.benchmarks.once.ContestResult.Contestant;
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
import java.util.Optional;
import java.util.function.Function;

/**
 * The results of the suite and their page.
 *
 * @param environment the machine and the versions
 * @param command that measured them
 * @param contests in the order in which they ran
 * @param growth the same
 */
public record OncePage(
        Map<String, String> environment, String command, List<ContestResult> contests, List<GrowthResult> growth) {

    private static final String FILE = "effectively-once.json";
    private static final String PAGE = "effectively-once.md";
    private static final double MIB = 1 << 20;

    static OncePage empty(String command, String postgres) {
        Map<String, String> environment = Environment.describe();
        environment.put("PostgreSQL", postgres);
        return new OncePage(environment, command, new ArrayList<>(), new ArrayList<>());
    }

    void save(Path raw) throws IOException {
        RawResults.write(raw.resolve(FILE), this);
    }

    /** Writes the page from the raw results, if there are any. */
    public static void write(Path raw, Path folder) throws IOException {
        Optional<String> text = text(raw, folder);
        if (text.isPresent()) {
            Path unused = Files.writeString(Files.createDirectories(folder).resolve(PAGE), text.get());
        }
    }

    /** Returns the page in this folder, if there are raw results. */
    static Optional<String> text(Path raw, Path folder) {
        Path file = raw.resolve(FILE);
        return Files.exists(file)
                ? Optional.of(RawResults.read(file, OncePage.class).text(RawResults.link(file, folder)))
                : Optional.empty();
    }

    private String text(String link) {
        StringBuilder page = new StringBuilder("# Effectively once: what it costs\n\n");
        page.append("The benchmarks write this page from [%s](%s). ".formatted(FILE, link))
                .append(
                        "[Effectively once](../effectively-once.md) describes the inbox and the outbox. One process runs Spring Boot applications with the starter and the module")
                .append(
                        " `batchsqs-spring-boot-jdbc`; the simulated SQS with %d ms a call and PostgreSQL have processes of their own, on the same"
                                .formatted(SimulatorProcess.LATENCY_MILLIS))
                .append(
                        " processors and the same disk. A commit waits for the disk. The pool has %d connections. Bodies have 100 bytes."
                                .formatted(Servers.POOL))
                .append(
                        " A figure is the median of the rounds of one process, with the lowest and the highest round in brackets; *ratio* is that of the quotients of two rounds")
                .append(
                        " that ran one after the other. Each round checks that every message had one row, or was accepted once.\n\n");
        page.append(Environment.list(environment));
        inbox(page, rows(OnceRows.INBOX));
        outbox(page, rows(OnceRows.OUTBOX));
        statements(page);
        growth(page);
        return page.toString();
    }

    private List<ContestResult> rows(String section) {
        return contests.stream()
                .filter(row -> row.row().startsWith(section + "/"))
                .toList();
    }

    private static void inbox(StringBuilder page, List<ContestResult> rows) {
        if (rows.isEmpty()) {
            return;
        }
        page.append("\n## Throughput of the inbox\n\n`benchmarks/run effectively-once --rows 'inbox/*'`\n\n")
                .append(
                        "A listener with `batch-size` 1, 10 or 100 and `concurrency: %d` drains a backlog. Its handler inserts a row for each message by one JDBC batch, in one transaction:"
                                .formatted(Servers.CONCURRENCY))
                .append(
                        " its own without the inbox, that of the inbox with it. With 10 and 100, `batch-linger: 50ms` fills the batches. *Messages/s* count until the last message is deleted from the queue.\n\n");
        MarkdownTable table = new MarkdownTable(
                ">batch",
                ">messages/s without",
                ">with the inbox",
                ">ratio",
                ">messages/transaction without",
                ">with the inbox");
        page.append(throughput(table, rows, OncePage::perTransaction));
    }

    private static void outbox(StringBuilder page, List<ContestResult> rows) {
        if (rows.isEmpty()) {
            return;
        }
        page.append("\n## Throughput of the outbox\n\n`benchmarks/run effectively-once --rows 'outbox/*'`\n\n")
                .append(
                        "%d threads run transactions that insert one row and send 1, 10 or 100 messages to a standard queue, with `batchsqs.sender.transactional` `after-commit` or `outbox`."
                                .formatted(Servers.CONCURRENCY))
                .append(
                        " Transactions wait while %,d messages are not yet accepted by SQS; those of the burst do not wait. *Messages/s* count until SQS has accepted the last message,"
                                .formatted(BoundedSender.WAITING))
                .append(" *transactions/s* until the last transaction has committed.\n\n");
        MarkdownTable table = new MarkdownTable(
                "messages/transaction",
                ">messages/s `after-commit`",
                ">`outbox`",
                ">ratio",
                ">transactions/s `after-commit`",
                ">`outbox`");
        page.append(throughput(table, rows, OncePage::transactionsPerSecond));
    }

    /** Fills a table with the messages of both contestants, their ratio and one more figure of each. */
    private static MarkdownTable throughput(
            MarkdownTable table, List<ContestResult> rows, Function<Contestant, String> figure) {
        for (ContestResult row : rows) {
            table.row(
                    row.what(),
                    messagesPerSecond(row.without()),
                    messagesPerSecond(row.with()),
                    ratio(row),
                    figure.apply(row.without()),
                    figure.apply(row.with()));
        }
        return table;
    }

    private void statements(StringBuilder page) {
        if (contests.isEmpty()) {
            return;
        }
        page.append("\n## Statements\n\n")
                .append(
                        "Each row above has one more round, of an application of its own, in which [datasource-proxy](https://github.com/jdbc-observations/datasource-proxy) counts. An *execution* is one")
                .append(
                        " call of the JDBC driver that executes a statement or a JDBC batch, whatever the number of its rows. *Of the application* are those of the handler or the producer, *inserted ids or messages* those that")
                .append(
                        " insert into the table of the inbox or the outbox in the same transaction, and *others* those of the relay: its claims, reads and deletes, and its look for rows every second.")
                .append(
                        " Commits are not executions. The driver sends `BEGIN` along with the first statement. *Transactions* are those of the application; *commits* include those of the relay.\n\n");
        MarkdownTable table = new MarkdownTable(
                "row",
                ">messages/transaction",
                ">executions/transaction",
                ">of the application",
                ">inserted ids or messages",
                ">others",
                ">commits/transaction",
                ">executions/message");
        for (ContestResult row : contests) {
            for (Contestant contestant : row.contestants()) {
                Statements counted = contestant.statements();
                double transactions = counted.transactions();
                table.row(
                        row.row() + ", " + contestant.name(),
                        Figures.number(counted.messages() / transactions),
                        Figures.fixed(2, counted.all() / transactions),
                        Figures.fixed(2, counted.application() / transactions),
                        Figures.fixed(2, counted.stored() / transactions),
                        Figures.fixed(2, counted.others() / transactions),
                        Figures.fixed(2, counted.commits() / transactions),
                        Figures.fixed(3, (double) counted.all() / counted.messages()));
            }
        }
        page.append(table);
    }

    private void growth(StringBuilder page) {
        if (growth.isEmpty()) {
            return;
        }
        page.append("\n## Growth of the tables\n\n`benchmarks/run effectively-once --rows 'growth/*'`\n\n")
                .append(
                        "Transactions of %d messages run at %,.0f messages/s if the machine reaches that. In the rows of the inbox they are batches that the bean of the inbox passes to the handler above, without SQS;"
                                .formatted(Growth.BATCH, OnceRows.PER_SECOND))
                .append(
                        " in that of the outbox they insert one row and send to the simulated SQS, and wait while %,d messages are not yet accepted. "
                                .formatted(BoundedSender.WAITING))
                .append(
                        "One minute is the shortest retention that the settings permit. Autovacuum has the defaults of PostgreSQL, and looks once a minute. *Dead* rows are deleted or updated ones that no vacuum has")
                .append(
                        " removed yet, as PostgreSQL estimates them. *Table* is `pg_table_size`, *indexes* is `pg_indexes_size`. *Messages/s* and *ms/transaction* are those since the line before.\n");
        for (GrowthResult row : growth) {
            Sample last = row.samples().getLast();
            page.append("\n### %s\n\n%,d messages took %s s; autovacuum ran %s.\n\n"
                    .formatted(row.what(), last.messages(), Figures.number(last.seconds()), times(last.autovacuums())));
            MarkdownTable table = new MarkdownTable(
                    ">messages",
                    ">rows",
                    ">dead",
                    ">table MiB",
                    ">indexes MiB",
                    ">autovacuums",
                    ">messages/s",
                    ">ms/transaction");
            Sample before = row.samples().getFirst();
            for (Sample sample : row.samples()) {
                boolean first = sample.equals(before);
                double perSecond = (sample.messages() - before.messages()) / (sample.seconds() - before.seconds());
                table.row(
                        count(sample.messages()),
                        count(sample.rows()),
                        count(sample.deadRows()),
                        Figures.number(sample.tableBytes() / MIB),
                        Figures.number(sample.indexBytes() / MIB),
                        count(sample.autovacuums()),
                        first ? "–" : Figures.number(perSecond),
                        first ? "–" : Figures.number(sample.millisPerTransaction()));
                before = sample;
            }
            page.append(table);
        }
    }

    private static String times(long count) {
        return switch ((int) count) {
            case 0 -> "never";
            case 1 -> "once";
            default -> count + " times";
        };
    }

    private static String count(long value) {
        return String.format(Locale.ENGLISH, "%,d", value);
    }

    private static String messagesPerSecond(Contestant contestant) {
        return Spread.of(contestant.rounds(), Round::messagesPerSecond).text(Figures::number);
    }

    private static String transactionsPerSecond(Contestant contestant) {
        return Spread.of(contestant.rounds(), Round::transactionsPerSecond).text(Figures::number);
    }

    private static String ratio(ContestResult row) {
        return Spread.ofQuotients(row.with().rounds(), row.without().rounds(), Round::messagesPerSecond)
                .text(value -> Figures.fixed(2, value));
    }

    private static String perTransaction(Contestant contestant) {
        Spread spread = Spread.of(contestant.rounds(), round -> (double) round.messages() / round.transactions());
        return Figures.number(spread.median());
    }
}
