/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.report;

import io.github.batchsqs.benchmarks.run.Measurement;
import io.github.batchsqs.benchmarks.run.Row;
import io.github.batchsqs.benchmarks.simulator.SelfSigned;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The simulated SQS and the contestants, each in a JVM of its own of the version that runs this. */
final class Processes implements Starter, AutoCloseable {

    private static final String MAIN = "io.github.batchsqs.benchmarks.BenchmarkCommand";

    /** Far above what a start with its warm-up takes. */
    private static final Duration LONGEST_START = Duration.ofMinutes(10);

    /** Far above what a round takes, with the rest before it. */
    private static final Duration LONGEST_ROUND = Duration.ofMinutes(3);

    private final Path log;
    private final int warmUp;
    private final SelfSigned certificate;
    private final Answers simulator;
    private final String endpoint;
    private final String tlsEndpoint;

    /**
     * Starts the simulated SQS.
     *
     * @param warmUp rounds of a contestant's warm-up, at most
     */
    Processes(Path log, int warmUp) throws IOException, InterruptedException {
        this.log = log;
        this.warmUp = warmUp;
        this.certificate = SelfSigned.create();
        this.simulator = start(
                "The simulated SQS",
                List.of("-Xmx2g"),
                List.of("simulator", "--key-store", certificate.file().toString()));
        String[] endpoints = simulator.next(LONGEST_ROUND).split(" ", -1);
        this.endpoint = endpoints[0];
        this.tlsEndpoint = endpoints[1];
    }

    @Override
    public Started start(Row row) throws IOException, InterruptedException {
        // A compiler thread that ends takes its CPU time with it, so they all stay
        List<String> flags = new ArrayList<>(List.of("-Xmx1g", "-XX:-UseDynamicNumberOfCompilerThreads"));
        // The OpenSSL of the simulated SQS is on the class path, and in no application that uses the SDK's Netty client
        flags.add("-Dio.netty.handler.ssl.noOpenSsl=true");
        flags.addAll(certificate.trustFlags());
        Answers answers = start(
                "Row " + row.name(),
                flags,
                List.of(
                        "row",
                        "--endpoint",
                        endpoint,
                        "--tls-endpoint",
                        tlsEndpoint,
                        "--warm-up",
                        Integer.toString(warmUp),
                        "--name",
                        row.name()));
        String unused = answers.next(LONGEST_START);
        return new Contestant(answers);
    }

    @Override
    public void close() {
        simulator.close();
    }

    private Answers start(String name, List<String> flags, List<String> arguments) throws IOException {
        return new Answers(
                name,
                JavaProcess.of(flags, MAIN, arguments)
                        .redirectError(Redirect.appendTo(log.toFile()))
                        .start());
    }

    /** The process of a row. */
    private record Contestant(Answers answers) implements Started {

        @Override
        public Measurement measure() throws IOException, InterruptedException {
            answers.tell();
            return Results.measurement(answers.next(LONGEST_ROUND));
        }

        @Override
        public void close() {
            answers.close();
        }
    }
}
