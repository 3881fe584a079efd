/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.report;

import io.github.batchsqs.benchmarks.report.Campaign.Effort;
import io.github.batchsqs.benchmarks.simulator.SelfSigned;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.ProcessBuilder.Redirect;
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
    private final SelfSigned certificate;
    private final String endpoint;
    private final String tlsEndpoint;

    /** Starts the simulated SQS. */
    Processes(Path log) throws IOException, InterruptedException {
        this.log = log;
        this.certificate = SelfSigned.create();
        this.simulator = start(
                List.of("-Xmx2g"),
                List.of("simulator", "--key-store", certificate.file().toString()));
        String[] endpoints = lastLine(simulator, 1).split(" ", -1);
        if (endpoints.length != 2) {
            throw new IOException("The simulated SQS did not start; see " + log);
        }
        this.endpoint = endpoints[0];
        this.tlsEndpoint = endpoints[1];
    }

    /** Runs a row and returns its result, the last line that it prints. */
    String row(String name, Effort effort) throws IOException, InterruptedException {
        // A compiler thread that ends takes its CPU time with it, so they all stay
        List<String> flags = new ArrayList<>(List.of("-Xmx1g", "-XX:-UseDynamicNumberOfCompilerThreads"));
        // The OpenSSL of the simulated SQS is on the class path, and in no application that uses the SDK's Netty client
        flags.add("-Dio.netty.handler.ssl.noOpenSsl=true");
        flags.addAll(certificate.trustFlags());
        Process process = start(
                flags,
                List.of(
                        "row",
                        "--endpoint",
                        endpoint,
                        "--tls-endpoint",
                        tlsEndpoint,
                        "--warm-up",
                        Integer.toString(effort.warmUpSeconds()),
                        "--rounds",
                        Integer.toString(effort.rounds()),
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
