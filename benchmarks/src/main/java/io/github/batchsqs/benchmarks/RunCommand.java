/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks;

import io.github.batchsqs.benchmarks.cluster.ClusterSuite;
import io.github.batchsqs.benchmarks.concurrency.Concurrency;
import io.github.batchsqs.benchmarks.once.OnceSuite;
import io.github.batchsqs.benchmarks.reliability.ReliabilityPage;
import io.github.batchsqs.benchmarks.report.Campaign;
import io.github.batchsqs.benchmarks.report.Campaign.Effort;
import io.github.batchsqs.benchmarks.report.Tables;
import io.github.batchsqs.benchmarks.run.Row;
import io.github.batchsqs.benchmarks.simulation.SimulationSuite;
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
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs suites and writes their pages. */
@Command(
        name = "run",
        description = "Runs suites and writes tables, charts and raw results.",
        mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {

    private static final Path RESULTS = Path.of("benchmarks/results");
    private static final Path PAGES = Path.of("docs/benchmarks");

    /** What {@code .ci/reliability/run --full} leaves. */
    private static final Path LONG_ROWS = Path.of("core/target/reliability-long.tsv");

    /** Raw results and pages of a trial. */
    private static final Path TRIAL = Path.of("benchmarks/target/trial");

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Parameters(
            arity = "0..*",
            description =
                    "ladder, peers, defaults, wire; all of them by default. peer-search, concurrency, cluster,"
                            + " effectively-once and simulation are five more. reliability-table takes over the rows of the long tests of reliability.")
    private List<String> suites = new ArrayList<>();

    @Option(
            names = "--rows",
            description = "Patterns of the ends of row names, * for anything; all by default.",
            split = ",")
    private List<String> patterns = new ArrayList<>();

    @Option(names = "--quick", description = "A choice of rows, fewer passes, shorter warm-up: under ten minutes.")
    private boolean quick;

    @Option(
            names = "--passes",
            description =
                    "How often each row is measured; 5 by default, 3 in peer-search and concurrency, 1 with --quick"
                            + " (3 in wire).")
    private int passes;

    @Option(
            names = "--warm-up",
            description =
                    "Rounds per row at most, until its figure is flat; 14 by default, 10 in peer-search and concurrency,"
                            + " 4 with --quick.")
    private int warmUp;

    @Option(names = "--list", description = "Print the names of the rows and run nothing.")
    private boolean list;

    @Option(names = "--resume", description = "Go on with a run that was broken off: what is there counts as done.")
    private boolean resume;

    @Option(names = "--report-only", description = "Write the page again from the results that are there.")
    private boolean reportOnly;

    @Override
    public Integer call() throws Exception {
        // The first argument is the subcommand, which the script gives
        List<String> arguments = spec.commandLine().getParseResult().originalArgs();
        String command = "benchmarks/run " + String.join(" ", arguments.subList(1, arguments.size()));
        if (suites.equals(List.of(ReliabilityPage.NAME))) {
            ReliabilityPage.renew(LONG_ROWS, RESULTS);
            BenchmarksPage.write(RESULTS, PAGES);
            return 0;
        }
        if (suites.contains(ClusterSuite.SUITE)) {
            return cluster(command) ? 0 : 1;
        }
        if (suites.contains(OnceSuite.SUITE)) {
            effectivelyOnce(command);
            return 0;
        }
        if (suites.contains(SimulationSuite.SUITE)) {
            simulation(command);
            return 0;
        }
        List<Row> all = Search.narrow(Rows.all(), Tables.outcomes(Wire.SEARCH, RESULTS));
        for (String suite : suites.isEmpty() ? List.of("ladder", "peers", Wire.DEFAULTS, Wire.SUITE) : suites) {
            run(suite, Rows.select(all, suite, patterns, quick), command);
        }
        return 0;
    }

    /** Returns whether all rows kept the guarantees. The suite runs alone: other suites of the same command are left out. */
    private boolean cluster(String command) throws IOException, InterruptedException {
        runsAlone(ClusterSuite.SUITE);
        if (list) {
            ClusterSuite.names(patterns, quick).forEach(System.out::println);
            return true;
        }
        boolean kept = reportOnly || ClusterSuite.run(command, patterns, quick, raw());
        writePage();
        return kept;
    }

    private Path raw() {
        return trial() ? TRIAL : RESULTS;
    }

    /** Writes the page of all suites that have results. */
    private void writePage() throws IOException {
        BenchmarksPage.write(raw(), trial() ? TRIAL : PAGES);
    }

    /** Runs the rows of inbox and outbox. */
    private void effectivelyOnce(String command) throws IOException, InterruptedException {
        runsAlone(OnceSuite.SUITE);
        if (list) {
            OnceSuite.names(patterns).forEach(System.out::println);
            return;
        }
        if (!reportOnly) {
            OnceSuite.run(command, patterns, quick, raw());
        }
        writePage();
    }

    /** Runs the rows in virtual time. */
    private void simulation(String command) throws IOException {
        runsAlone(SimulationSuite.SUITE);
        if (list) {
            SimulationSuite.names(patterns, quick).forEach(System.out::println);
            return;
        }
        if (!reportOnly) {
            SimulationSuite.run(command, patterns, quick, raw());
        }
        writePage();
    }

    private void runsAlone(String suite) {
        if (suites.size() > 1) {
            throw new ParameterException(
                    spec.commandLine(),
                    "The suite %s runs alone, but there are %s: run the others apart".formatted(suite, suites));
        }
    }

    private void run(String suite, List<Row> rows, String command) throws IOException, InterruptedException {
        Effort usual = usual(suite, quick);
        Effort effort = new Effort(passes > 0 ? passes : usual.passes(), warmUp > 0 ? warmUp : usual.warmUp());
        if (list) {
            rows.forEach(row -> System.out.println(row.name()));
        }
        if (list || !reportOnly) {
            System.err.printf(
                    "%s: %d rows, %d passes, at most about %d min%n",
                    suite, rows.size(), effort.passes(), Math.ceilDiv(effort.seconds(rows), 60));
        }
        if (list) {
            return;
        }
        if (!reportOnly) {
            Path log = Files.createTempFile("batchsqs-benchmarks-", ".log");
            System.err.println("The processes write their log to " + log);
            new Campaign(suite, rows, effort, resume, raw()).run(command, log);
        }
        writePage();
        if (suite.equals(Wire.SEARCH)) {
            System.out.print(Search.describe(Rows.all(), Tables.outcomes(suite, raw())));
        }
    }

    /** Without options that say otherwise. */
    static Effort usual(String suite, boolean quick) {
        if (quick) {
            return new Effort(suite.equals(Wire.SUITE) ? 3 : 1, 4);
        }
        return suite.equals(Wire.SEARCH) || suite.equals(Concurrency.SUITE) ? new Effort(3, 10) : new Effort(5, 14);
    }

    /** Whether it is less than a whole suite at full length, which must not pass for one. */
    boolean trial() {
        return quick || passes > 0 || warmUp > 0 || !patterns.isEmpty();
    }
}
