/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The benchmarks' command line. */
@Command(
        name = "benchmarks",
        description = "Compares BatchSQS with its peers on a simulated SQS.",
        mixinStandardHelpOptions = true,
        subcommands = {RunCommand.class, SimulatorCommand.class, RowCommand.class})
public final class BenchmarkCommand {

    /** Runs a subcommand. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new BenchmarkCommand()).execute(args));
    }
}
