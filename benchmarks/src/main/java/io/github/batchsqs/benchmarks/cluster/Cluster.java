/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.cluster;

import io.github.batchsqs.benchmarks.cluster.instance.ClusterInstance;
import io.github.batchsqs.benchmarks.run.ControlClient;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** The simulated SQS and up to 16 instances, which are ready before the first row begins. Closing it ends all processes. */
final class Cluster implements AutoCloseable {

    static final int INVOCATIONS = 16;

    /** The default of SQS. */
    private static final int VISIBILITY_SECONDS = 30;

    private static final int LATENCY_MICROS = 5_000;
    private static final long LONGEST_LISTEN_SECONDS = 120;
    private static final String MAIN = "io.github.batchsqs.benchmarks.BenchmarkCommand";

    private final Path folder = Files.createTempDirectory("batchsqs-cluster-");
    private final Instance simulator;
    private final String endpoint;
    private final List<Instance> instances = new ArrayList<>();
    private final ControlClient control;
    private final Set<String> queues = new HashSet<>();
    private int ledgers;

    /**
     * Starts the simulated SQS. All processes end when their input does, so also when this process is killed. One that hangs would do so only when it
     * is continued: if this process is asked to end, it kills them all.
     */
    Cluster() throws IOException, InterruptedException {
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().name("cluster-end").unstarted(Cluster::killAll));
        this.simulator = new Instance(java(List.of("-Xmx2g"), MAIN, List.of("simulator"), Map.of()));
        this.endpoint = simulator.next();
        this.control = new ControlClient(URI.create(endpoint));
    }

    private static void killAll() {
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
    }

    /** Starts instances and blocks until all are ready. */
    void launch(int size) throws IOException, InterruptedException {
        conditions("");
        create("cluster", "");
        create("cluster.fifo", "");
        for (int i = 0; i < size; i++) {
            instances.add(launch(Map.of()));
        }
        for (Instance instance : instances) {
            instance.awaitReady();
        }
    }

    String endpoint() {
        return endpoint;
    }

    Instance instance(int number) {
        return instances.get(number);
    }

    JsonNode control(String command) throws IOException {
        return control.send(command);
    }

    /** Sets the conditions of a row: the latency of all rows, and more. */
    void conditions(String more) throws IOException {
        JsonNode unused = control("conditions?latencyMicros=" + LATENCY_MICROS + more);
        unused = control("quotas");
    }

    /** Makes a queue new. */
    void create(String queue, String settings) throws IOException {
        if (!queues.add(queue)) {
            JsonNode unused = control("drop?queue=" + queue);
        }
        String visibility = settings.contains("visibility") ? "" : "&visibility=" + VISIBILITY_SECONDS;
        JsonNode unused = control("create?queue=" + queue + settings + visibility);
    }

    /** Starts the listeners of so many instances, with new ledgers, and waits until each has a receive open. */
    void listen(String listener, int count) throws IOException, InterruptedException {
        ledgers++;
        for (int i = 0; i < count; i++) {
            join(i, listener);
        }
        long began = System.nanoTime();
        for (int open = 0;
                open < count;
                open = control("stats").get("openReceives").asInt()) {
            if (System.nanoTime() - began > TimeUnit.SECONDS.toNanos(LONGEST_LISTEN_SECONDS)) {
                throw new IOException("%d instances listen to %s, but only %d receives were open after %d s"
                        .formatted(count, listener, open, LONGEST_LISTEN_SECONDS));
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    /** Begins the ledger of one more instance, which then only needs to start its listener. */
    void prepare(int number) throws IOException, InterruptedException {
        instances.get(number).ledger(ledger(number));
    }

    /** Starts the listener of one more instance. */
    void join(int number, String listener) throws IOException, InterruptedException {
        prepare(number);
        instances.get(number).command("start", listener);
    }

    void silence(String listener, int count) throws IOException, InterruptedException {
        for (int i = 0; i < count; i++) {
            instances.get(i).command("stop", listener);
        }
    }

    /** Replaces an instance that ended by a new process, which listens. */
    void replace(int number, String listener, Map<String, String> environment)
            throws IOException, InterruptedException {
        instances.get(number).close();
        Instance instance = launch(environment);
        instances.set(number, instance);
        instance.awaitReady();
        join(number, listener);
    }

    /** Reads what the instances have done since they listen. */
    Verdict verdict(int count, int faulty) throws IOException {
        Map<String, List<String>> lines = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            lines.put(Integer.toString(i), Files.exists(ledger(i)) ? Files.readAllLines(ledger(i)) : List.of());
        }
        return new Verdict(lines, faulty < 0 ? null : Integer.toString(faulty));
    }

    private Path ledger(int number) {
        return folder.resolve("row-" + ledgers + "-instance-" + number);
    }

    private Instance launch(Map<String, String> environment) throws IOException {
        List<String> flags = List.of("-Xmx96m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto");
        List<String> settings = List.of(
                "--spring.cloud.aws.endpoint=" + endpoint,
                "--spring.cloud.aws.region.static=us-east-1",
                "--spring.cloud.aws.credentials.access-key=test",
                "--spring.cloud.aws.credentials.secret-key=test",
                "--spring.main.banner-mode=off");
        return new Instance(java(flags, ClusterInstance.class.getName(), settings, environment));
    }

    private Process java(List<String> flags, String main, List<String> arguments, Map<String, String> environment)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        return builder.redirectError(Redirect.appendTo(folder.resolve("log").toFile()))
                .start();
    }

    /** The end of the log of all processes. */
    String log() throws IOException {
        List<String> lines = Files.readAllLines(folder.resolve("log"));
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
    }

    @Override
    public void close() throws IOException {
        instances.forEach(Instance::close);
        simulator.close();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted((one, other) -> other.compareTo(one)).toList()) {
                Files.delete(file);
            }
        }
    }
}
