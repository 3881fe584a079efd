/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.cluster;

import io.github.batchsqs.benchmarks.cluster.instance.ClusterInstance;
import io.github.batchsqs.benchmarks.report.JavaProcess;
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
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The simulated SQS and up to 16 instances, which are ready before the first row begins. Closing it ends all processes. */
final class Cluster implements AutoCloseable {

    static final int INVOCATIONS = 16;

    /** So many messages run on an instance when a fault hits it: one alone could end at the same moment. */
    private static final int INTERRUPTED = 3;

    /** The default of SQS. */
    private static final int VISIBILITY_SECONDS = 30;

    private static final int LATENCY_MICROS = 5_000;
    private static final long LONGEST_LISTEN_SECONDS = 120;
    private static final long LONGEST_RUNNING_SECONDS = 30;
    private static final int NANOS_PER_MICRO = 1_000;

    /** In this time an instance that hung has begun what it had received. */
    private static final long LATE_SECONDS = 4;

    private static final String MAIN = "io.github.batchsqs.benchmarks.BenchmarkCommand";

    private final Path folder = Files.createTempDirectory("batchsqs-cluster-");
    private final Instance simulator;
    private final String endpoint;
    private final List<Instance> instances = new ArrayList<>();
    private final ControlClient control;
    private final Set<String> queues = new HashSet<>();
    private int ledgers;
    private Verdict.@Nullable Fault fault;

    /**
     * Starts the simulated SQS. All processes end when their input does, so also when this process is killed. One that hangs would do so only when it
     * is continued: if this process is asked to end, it kills them all, and deletes their files.
     */
    Cluster() throws IOException, InterruptedException {
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().name("cluster-end").unstarted(this::end));
        this.simulator = new Instance(java(List.of("-Xmx2g"), MAIN, List.of("simulator"), Map.of()));
        this.endpoint = simulator.next();
        this.control = new ControlClient(URI.create(endpoint));
    }

    private void end() {
        List<ProcessHandle> processes = ProcessHandle.current().descendants().toList();
        processes.forEach(ProcessHandle::destroyForcibly);
        processes.forEach(process -> process.onExit().join());
        try {
            deleteFiles();
        } catch (IOException e) {
            System.err.println("Files of the cluster are left behind: " + e);
        }
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
        fault = null;
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

    /** Blocks until an instance runs so many messages at once. */
    void awaitRunning(int number, int messages) throws IOException, InterruptedException {
        long began = System.nanoTime();
        while (Verdict.running(lines(number)) < messages) {
            if (System.nanoTime() - began > TimeUnit.SECONDS.toNanos(LONGEST_RUNNING_SECONDS)) {
                throw new IOException("Instance %d did not run %d messages at once within %d s"
                        .formatted(number, messages, LONGEST_RUNNING_SECONDS));
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    /** Kills an instance while it runs some messages. */
    void kill(int number) throws IOException, InterruptedException {
        awaitRunning(number, INTERRUPTED);
        long from = micros();
        instances.get(number).close();
        fault = new Verdict.Fault(number, from, micros());
    }

    /** Lets an instance hang while it runs some messages. What SQS sent to it meanwhile it begins late: it cannot know how old that is. */
    void hang(int number, int seconds) throws IOException, InterruptedException {
        awaitRunning(number, INTERRUPTED);
        long from = micros();
        instances.get(number).hang(seconds);
        fault = new Verdict.Fault(number, from, micros() + TimeUnit.SECONDS.toMicros(LATE_SECONDS));
    }

    /** The clock of the ledgers, which all processes of the machine share. */
    private static long micros() {
        return System.nanoTime() / NANOS_PER_MICRO;
    }

    /** Reads what the instances have done since they listen, and what a fault of one of them explains. */
    Verdict verdict(int count) throws IOException {
        Map<String, List<String>> ledgersByInstance = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            ledgersByInstance.put(Integer.toString(i), lines(i));
        }
        return new Verdict(ledgersByInstance, fault);
    }

    private List<String> lines(int number) throws IOException {
        return Files.exists(ledger(number)) ? Files.readAllLines(ledger(number)) : List.of();
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
        ProcessBuilder builder = JavaProcess.of(flags, main, arguments);
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
        deleteFiles();
    }

    private void deleteFiles() throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted((one, other) -> other.compareTo(one)).toList()) {
                Files.delete(file);
            }
        }
    }
}
