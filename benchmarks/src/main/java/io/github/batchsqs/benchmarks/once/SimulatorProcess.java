/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.once;

import io.github.batchsqs.benchmarks.report.Answers;
import io.github.batchsqs.benchmarks.report.JavaProcess;
import io.github.batchsqs.benchmarks.run.ControlClient;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** The simulated SQS with a process of its own, which ends when this one does. */
final class SimulatorProcess implements AutoCloseable {

    static final int LATENCY_MILLIS = 5;

    private static final Duration LONGEST_START = Duration.ofMinutes(2);
    private static final String MAIN = "io.github.batchsqs.benchmarks.BenchmarkCommand";

    private final Answers lines;
    private final String endpoint;
    private final ControlClient control;
    private final Set<String> queues = new HashSet<>();

    SimulatorProcess() throws IOException, InterruptedException {
        this.lines = new Answers(
                "The simulated SQS",
                JavaProcess.of(List.of("-Xmx2g"), MAIN, List.of("simulator"))
                        .redirectError(Redirect.INHERIT)
                        .start());
        this.endpoint = lines.next(LONGEST_START);
        this.control = new ControlClient(URI.create(endpoint));
        latency(LATENCY_MILLIS);
    }

    /** How long a call takes from now on. */
    void latency(int millis) throws IOException {
        JsonNode unused = control("conditions?latencyMicros=" + millis * 1_000);
    }

    String endpoint() {
        return endpoint;
    }

    /** Sends a command to its controls. */
    JsonNode control(String command) throws IOException {
        return control.send(command);
    }

    /** Creates an empty queue, or empties it. */
    void empty(String queue) throws IOException {
        JsonNode unused = control((queues.add(queue) ? "create" : "purge") + "?queue=" + queue);
    }

    @Override
    public void close() {
        lines.close();
    }
}
