/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks;

import io.github.batchsqs.benchmarks.report.Campaign;
import io.github.batchsqs.benchmarks.report.Campaign.Effort;
import io.github.batchsqs.benchmarks.report.Tables;
import io.github.batchsqs.benchmarks.run.Row;
import io.github.batchsqs.benchmarks.wire.Search;
import io.github.batchsqs.benchmarks.wire.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs suites and writes their pages. */
@Command(
        name = "run",
        description = "Runs suites and writes tables, charts and raw results.",
        mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(arity = "0..*", description = "ladder, peers, wire; all three by default. peer-search is one more.")
    private List<String> suites = new ArrayList<>();

    @Option(
            names = "--rows",
            description = "Patterns of the ends of row names, * for anything; all by default.",
            split = ",")
    private List<String> patterns = new ArrayList<>();

    @Option(names = "--quick", description = "A choice of rows, one pass: under ten minutes.")
    private boolean quick;

    @Option(
            names = "--passes",
            description = "How often each row is run; 5 by default, 1 with --quick and in peer-search.")
    private int passes;

    @Option(names = "--rounds", description = "Measured rounds of a row in each pass; 3 by default, 2 with --quick.")
    private int rounds;

    @Option(
            names = "--warm-up",
            description = "Seconds per row at most, until its figure is flat; 30 by default, 5 with --quick.")
    private int warmUp;

    @Option(names = "--results", description = "Folder of the raw results.", defaultValue = "benchmarks/results")
    private Path raw = Path.of("benchmarks/results");

    @Option(names = "--out", description = "Folder of the pages and charts.", defaultValue = "docs/benchmarks")
    private Path folder = Path.of("docs/benchmarks");

    @Option(names = "--list", description = "Print the names of the rows and run nothing.")
    private boolean list;

    @Option(names = "--resume", description = "Go on with a run that was broken off: what is there counts as done.")
    private boolean resume;

    @Option(names = "--report-only", description = "Write the pages again from the results that are there.")
    private boolean reportOnly;

    @Override
    public Integer call() throws Exception {
        List<String> chosen = suites.isEmpty() ? List.of("ladder", "peers", Wire.SUITE) : suites;
        // The first argument is the subcommand, which the script gives
        List<String> arguments = spec.commandLine().getParseResult().originalArgs();
        String command = "benchmarks/run " + String.join(" ", arguments.subList(1, arguments.size()));
        Effort effort = effort();
        for (String suite : chosen) {
            List<Row> rows = rows(suite);
            int times = passes > 0 ? passes : quick || suite.equals(Wire.SEARCH) ? 1 : 5;
            if (list) {
                rows.forEach(row -> System.out.println(row.name()));
            }
            if (list || !reportOnly) {
                System.err.printf(
                        "%s: %d rows, %d passes, about %d min%n",
                        suite, rows.size(), times, Math.ceilDiv(times * effort.seconds(rows), 60));
            }
            if (list) {
                continue;
            }
            if (!reportOnly) {
                Path log = Files.createTempFile("batchsqs-benchmarks-", ".log");
                System.err.println("The processes write their log to " + log);
                new Campaign(suite, rows, times, effort, resume, raw).run(command, log);
            }
            Tables.write(suite, Rows.all(), raw, folder);
            if (suite.equals(Wire.SEARCH)) {
                System.out.print(Search.describe(Rows.all(), Tables.perSecond(suite, raw)));
            }
        }
        return 0;
    }

    private Effort effort() {
        Effort effort = quick ? Effort.QUICK : Effort.FULL;
        return new Effort(warmUp > 0 ? warmUp : effort.warmUpSeconds(), rounds > 0 ? rounds : effort.rounds());
    }

    /** Of the configurations that are searched, the suite of the wire has the best alone, unless patterns ask for others. */
    private List<Row> rows(String suite) throws IOException {
        List<Row> rows = Rows.select(suite, patterns, quick);
        return suite.equals(Wire.SUITE) && patterns.isEmpty() && !quick
                ? Search.narrow(rows, Rows.all(), Tables.perSecond(Wire.SEARCH, raw))
                : rows;
    }
}
