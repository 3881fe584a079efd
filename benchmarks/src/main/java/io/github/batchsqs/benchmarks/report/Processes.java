/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.report;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The simulated SQS and the rows, each in a fresh JVM of the version that runs this. */
final class Processes implements AutoCloseable {

    private static final String MAIN = "io.github.batchsqs.benchmarks.BenchmarkCommand";
    private static final int ROW_SECONDS = 180;

    private final Path log;
    private final Process simulator;
    private final URI endpoint;

    /** Starts the simulated SQS. */
    Processes(Path log) throws IOException {
        this.log = log;
        this.simulator = start(List.of("-Xmx2g"), List.of("simulator"));
        this.endpoint = URI.create(lastLine(simulator, 1));
    }

    /** Runs a row and returns its result, the last line that it prints. */
    String row(String name, int warmUpSeconds) throws IOException, InterruptedException {
        // A compiler thread that ends takes its CPU time with it, so they all stay
        List<String> flags = List.of("-Xmx1g", "-XX:-UseDynamicNumberOfCompilerThreads");
        Process process = start(
                flags,
                List.of(
                        "row",
                        "--endpoint",
                        endpoint.toString(),
                        "--warm-up",
                        Integer.toString(warmUpSeconds),
                        "--name",
                        name));
        String result = lastLine(process, Integer.MAX_VALUE);
        if (!process.waitFor(ROW_SECONDS, TimeUnit.SECONDS)) {
            Process unused = process.destroyForcibly();
        }
        if (result.isEmpty()) {
            throw new IOException("Row " + name + " gave no result; see " + log);
        }
        return result;
    }

    @Override
    public void close() {
        simulator.destroy();
    }

    private Process start(List<String> flags, List<String> arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), MAIN));
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .redirectError(Redirect.appendTo(log.toFile()))
                .start();
    }

    private static String lastLine(Process process, int lines) throws IOException {
        BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String last = "";
        int read = 0;
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            last = line;
            if (++read == lines) {
                break;
            }
        }
        return last;
    }
}
