/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks;

import io.github.batchsqs.benchmarks.run.Row;
import io.github.batchsqs.benchmarks.run.RowRunner;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/**
 * One row in this process. It prints one line when it is warm; for each line of its input it then measures a round and prints the
 * measurement as one line of JSON. It ends when its input does.
 */
@Command(name = "row", description = "Measures one row against a simulated SQS that runs already, once for each line.")
final class RowCommand implements Callable<Integer> {

    @Option(names = "--endpoint", required = true, description = "Of the simulated SQS.")
    private URI endpoint = URI.create("");

    @Option(names = "--tls-endpoint", description = "Its second port, for the rows over TLS.")
    private URI tlsEndpoint = URI.create("");

    @Option(names = "--name", required = true, description = "The row.")
    private String name = "";

    @Option(names = "--warm-up", description = "Rounds at most.", defaultValue = "14")
    private int warmUp;

    @Option(
            names = "--recording",
            description = "Where to put a flight recording of what is measured; none by default.")
    private @Nullable Path file;

    @Override
    public Integer call() throws Exception {
        Row row = Rows.all().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("There is no row " + name));
        // What a contestant prints is no result
        PrintStream results = new PrintStream(System.out, true);
        System.setOut(System.err);
        try (BufferedReader turns = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
                Recording recording = new Recording(Configuration.getConfiguration("profile"))) {
            // System calls count, too; JVMs before 25 have the samples of the profile only
            recording.enable("jdk.CPUTimeSample").with("throttle", "2ms");
            RowRunner runner = new RowRunner(row, endpoint, row.tls() ? tlsEndpoint : endpoint);
            runner.warmUp(warmUp);
            if (file != null) {
                recording.start();
            }
            results.println("warm");
            while (turns.readLine() != null) {
                results.println(JsonMapper.shared().writeValueAsString(runner.measure()));
            }
            if (file != null) {
                recording.dump(file);
            }
        }
        Runtime.getRuntime().halt(0);
        return 0;
    }
}
