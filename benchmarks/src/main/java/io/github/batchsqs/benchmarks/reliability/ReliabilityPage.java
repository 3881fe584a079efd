/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.reliability;

import io.github.batchsqs.benchmarks.report.MarkdownTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The section of the long tests of reliability: the newest rows of kills, faults and the soak on each server. */
public final class ReliabilityPage {

    /** The argument of the command that renews the section. */
    public static final String NAME = "reliability-table";

    private static final String FILE = "reliability.tsv";

    private ReliabilityPage() {}

    /**
     * Puts the rows of a run in place of those of earlier runs of the same tests on the same server.
     *
     * @param fresh the rows of the run, which are moved; there may be none
     * @param raw the folder of the raw results
     */
    public static void renew(Path fresh, Path raw) throws IOException {
        Path file = raw.resolve(FILE);
        List<LongRow> rows = merged(read(file), read(fresh));
        Path unused = Files.createDirectories(raw);
        unused = Files.write(file, rows.stream().map(LongRow::line).toList());
        Files.deleteIfExists(fresh);
    }

    /** Returns the section of the page; an empty text without rows. */
    public static String section(Path raw) throws IOException {
        List<LongRow> rows = read(raw.resolve(FILE));
        return rows.isEmpty() ? "" : """

                ## The long tests of reliability

                `.ci/reliability/run --all` renews all rows: kills, 13 kinds of faults, and the soak. [Reliability](../reliability.md) explains the bounds in brackets.
                Each row is of a single run on JDK 25 and two cores.

                """ + table(rows);
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

    private static String table(List<LongRow> rows) {
        MarkdownTable table = new MarkdownTable(
                "row",
                "server",
                ">messages",
                ">lost",
                ">run again (bound)",
                ">sent twice (bound)",
                ">out of order",
                ">longest stop",
                "date, commit");
        for (LongRow row : rows) {
            table.row(
                    row.tried(),
                    row.server(),
                    grouped(row.messages()),
                    row.lost(),
                    row.again(),
                    row.twice(),
                    row.outOfOrder(),
                    row.longestStop(),
                    row.date() + ", " + row.commit());
        }
        return table.toString();
    }

    /** A number with its thousands apart; any other text stays. */
    private static String grouped(String number) {
        return number.chars().allMatch(Character::isDigit)
                ? String.format(Locale.ENGLISH, "%,d", Long.parseLong(number))
                : number;
    }
}
