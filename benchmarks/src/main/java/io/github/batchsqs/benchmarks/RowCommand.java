/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks;

import io.github.batchsqs.benchmarks.run.Row;
import io.github.batchsqs.benchmarks.run.RowRunner;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import jdk.jfr.Configuration;
import jdk.jfr.Recording;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/** One row in this process; the last line of the output is the measurement as JSON. */
@Command(name = "row", description = "Runs one row against a simulated SQS that runs already.")
final class RowCommand implements Callable<Integer> {

    @Option(names = "--endpoint", required = true, description = "Of the simulated SQS.")
    private URI endpoint = URI.create("");

    @Option(names = "--tls-endpoint", description = "Its second port, for the rows over TLS.")
    private URI tlsEndpoint = URI.create("");

    @Option(names = "--name", required = true, description = "The row.")
    private String name = "";

    @Option(names = "--warm-up", description = "Seconds at most.", defaultValue = "30")
    private int warmUp;

    @Option(names = "--rounds", description = "Measured after it.", defaultValue = "3")
    private int rounds;

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
        try (Recording recording = new Recording(Configuration.getConfiguration("profile"))) {
            // System calls count, too; JVMs before 25 have the samples of the profile only
            recording.enable("jdk.CPUTimeSample").with("throttle", "2ms");
            RowRunner runner = new RowRunner(
                    row, endpoint, row.tls() ? tlsEndpoint : endpoint, file == null ? () -> {} : recording::start);
            System.out.println(JsonMapper.shared().writeValueAsString(runner.run(warmUp, rounds)));
            if (file != null) {
                recording.dump(file);
            }
        }
        System.out.flush();
        Runtime.getRuntime().halt(0);
        return 0;
    }
}
