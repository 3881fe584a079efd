/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.reliability;

import io.github.batchsqs.benchmarks.cluster.ClusterPage;
import io.github.batchsqs.benchmarks.cluster.ClusterResult;
import io.github.batchsqs.benchmarks.report.MarkdownTable;
import io.github.batchsqs.benchmarks.report.RawResults;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The page of the long tests of reliability: the newest rows of kills, faults and the soak on each server, and those of the cluster. */
public final class ReliabilityPage {

    /** The argument of the command that renews the page. */
    public static final String NAME = "reliability-table";

    private static final String FILE = "reliability.tsv";
    private static final Map<String, String> TITLES = new LinkedHashMap<>();

    static {
        TITLES.put("KillTests", "Processes that are killed, or asked to end");
        TITLES.put("FaultTests", "Faults between the AWS client and the server");
        TITLES.put("SoakTests", "The soak: every fault at once");
    }

    private ReliabilityPage() {}

    /**
     * Puts the rows of a run in place of those of earlier runs of the same tests on the same server, and writes the page.
     *
     * @param fresh the rows of the run, which are moved; there may be none
     * @param raw the folder of the raw results
     * @param folder of the page
     */
    public static void renew(Path fresh, Path raw, Path folder) throws IOException {
        Path file = raw.resolve(FILE);
        List<LongRow> rows = merged(read(file), read(fresh));
        Path unused = Files.createDirectories(raw);
        unused = Files.write(file, rows.stream().map(LongRow::line).toList());
        write(raw, folder);
        Files.deleteIfExists(fresh);
    }

    /**
     * Writes the page from the rows that are there.
     *
     * @param raw the folder of the raw results
     * @param folder of the page
     */
    public static void write(Path raw, Path folder) throws IOException {
        Path file = raw.resolve(FILE);
        Path unused = Files.writeString(
                Files.createDirectories(folder).resolve("reliability.md"),
                text(read(file), RawResults.link(file, folder)) + cluster(raw));
    }

    private static List<LongRow> read(Path file) throws IOException {
        return Files.exists(file)
                ? Files.readAllLines(file).stream().map(LongRow::parse).toList()
                : List.of();
    }

    private static List<LongRow> merged(List<LongRow> before, List<LongRow> now) {
        List<LongRow> rows = new ArrayList<>(now);
        before.stream()
                .filter(row -> now.stream().noneMatch(each -> each.replaces(row)))
                .forEach(rows::add);
        rows.sort(Comparator.comparing(LongRow::test)
                .thenComparing(LongRow::server)
                .thenComparing(LongRow::tried)
                .thenComparing(LongRow::seed));
        return rows;
    }

    private static String text(List<LongRow> rows, String link) {
        StringBuilder page = new StringBuilder("# The long tests of reliability\n\n");
        page.append(
                        "`.ci/reliability/run --all` renews all rows. `--full` runs all tests on ElasticMQ, and several instances on the simulated SQS; `--full --localstack` runs the tests on")
                .append(
                        " LocalStack. Each command replaces the rows of its tests and its server on this page, if all tests passed. `benchmarks/run %s` only writes the page again, from [%s](%s) and [cluster.json](%s). "
                                .formatted(NAME, FILE, link, link.replace(FILE, "cluster.json")))
                .append(
                        "[Reliability](../reliability.md) explains the guarantees and the bounds in brackets. Each row is of a single run.\n");
        TITLES.forEach((test, title) -> {
            List<LongRow> of =
                    rows.stream().filter(row -> row.test().equals(test)).toList();
            page.append("\n## %s\n\n`.ci/reliability/run --full --test=%s`\n\n".formatted(title, test));
            page.append(of.isEmpty() ? "No rows.\n" : table(of));
        });
        return page.toString();
    }

    private static String table(List<LongRow> rows) {
        MarkdownTable table = new MarkdownTable(
                "row",
                "server",
                ">messages",
                "faults",
                ">lost",
                ">run again (bound)",
                ">sent twice (bound)",
                ">out of order",
                ">longest stop",
                ">seed",
                "date",
                "commit",
                "calls");
        for (LongRow row : rows) {
            table.row(
                    row.tried(),
                    row.server(),
                    grouped(row.messages()),
                    row.faults(),
                    row.lost(),
                    row.again(),
                    row.twice(),
                    row.outOfOrder(),
                    row.longestStop(),
                    row.seed(),
                    row.date(),
                    row.commit(),
                    row.calls());
        }
        return table.toString();
    }

    private static String cluster(Path raw) {
        StringBuilder section = new StringBuilder("\n## Several instances\n\n`benchmarks/run cluster`\n\n");
        ClusterPage page = ClusterPage.read(raw).orElse(null);
        if (page == null) {
            return section.append("No rows.\n").toString();
        }
        MarkdownTable table = new MarkdownTable(
                "row",
                "server",
                ">messages",
                ">lost",
                ">run again (unexplained)",
                ">out of order",
                "date",
                "commit",
                "calls");
        for (ClusterResult row : page.rows()) {
            if (row.row().startsWith("fault/") || row.row().startsWith("quota/")) {
                table.row(
                        row.what(),
                        "simulated SQS",
                        grouped(Long.toString(row.messages())),
                        Long.toString(row.lost()),
                        "%d (%d)".formatted(row.repeated(), row.unexplained()),
                        Long.toString(row.outOfOrder()),
                        page.environment().getOrDefault("Date", "unknown"),
                        page.environment().getOrDefault("Commit", "unknown"),
                        page.environment().getOrDefault(ClusterPage.CALLS, "unknown"));
            }
        }
        return section.append(table).toString();
    }

    /** A number with its thousands apart; any other text stays. */
    private static String grouped(String number) {
        return number.chars().allMatch(Character::isDigit)
                ? String.format(Locale.ENGLISH, "%,d", Long.parseLong(number))
                : number;
    }
}
