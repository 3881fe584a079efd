/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.testkit.JavaProcess;
import io.github.batchsqs.testkit.Progress;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** The instances of an application, one of which is killed at a time and started again, or vanishes. Each wait for them has an end. */
final class Applications implements AutoCloseable {

    static final int INSTANCES = Boolean.getBoolean("reliability.full") ? 4 : 2;

    /** Of all waits of a test together: the quick form takes a minute or two, the full form less than a quarter of an hour. */
    private static final Duration BOUND = Duration.ofMinutes(Boolean.getBoolean("reliability.full") ? 60 : 5);

    /** Two instances at once fail to create the table of events, which these tests do not use. */
    private static final List<String> MODULITH = List.of(
            "org.springframework.modulith.events.config.EventPublicationAutoConfiguration",
            "org.springframework.modulith.events.config.EventExternalizationAutoConfiguration",
            "org.springframework.modulith.events.jackson.JacksonEventSerializationConfiguration",
            "org.springframework.modulith.events.jdbc.JdbcEventPublicationAutoConfiguration");

    /** What is done when a part of a portion of orders is processed or placed. */
    @FunctionalInterface
    interface Fault {

        /** Kills, one after the other. */
        Fault KILL = (number, applications, database) -> applications.kill(number % INSTANCES);

        /** Restarts the database, every second time by a crash. */
        Fault RESTART = (number, applications, database) -> {
            if (number % 2 == 0) {
                database.restart();
            } else {
                database.crash();
            }
        };

        void happen(int number, Applications applications, Postgres database) throws Exception;
    }

    private final Class<?> main;
    private final Path folder;
    private final Path ledger;
    private final List<String> settings;
    private final List<JavaProcess> running = new ArrayList<>();
    private final List<JavaProcess> vanished = new ArrayList<>();
    private final long deadline = System.nanoTime() + BOUND.toNanos();

    /** Starts all. */
    Applications(Class<?> main, Path folder, URI sqs, Postgres database, String queue, List<String> more)
            throws IOException {
        this.main = main;
        this.folder = folder;
        this.ledger = Files.createFile(folder.resolve("ledger"));
        this.settings = new ArrayList<>(List.of(
                "--spring.main.banner-mode=off",
                "--spring.cloud.aws.region.static=us-east-1",
                "--spring.cloud.aws.credentials.access-key=key",
                "--spring.cloud.aws.credentials.secret-key=secret",
                "--spring.cloud.aws.sqs.endpoint=" + sqs,
                "--spring.datasource.url=" + database.url(),
                "--spring.datasource.hikari.maximum-pool-size=16",
                "--spring.datasource.hikari.connection-timeout=5000",
                "--batchsqs.jdbc.initialize-schema=always",
                "--spring.autoconfigure.exclude=" + String.join(",", MODULITH),
                "--queue=" + queue,
                "--ledger=" + ledger));
        settings.addAll(more);
        for (int i = 0; i < INSTANCES; i++) {
            running.add(start(i));
        }
    }

    private JavaProcess start(int number) throws IOException {
        List<String> arguments = new ArrayList<>(settings);
        arguments.add("--instance=" + number);
        return JavaProcess.start(main, log(number), List.of("-Xmx160m"), arguments);
    }

    private Path log(int number) {
        return folder.resolve("application-" + number + ".log");
    }

    Path ledger() {
        return ledger;
    }

    /** Returns whether an instance has done something since it was started. */
    boolean works(int number) {
        return RunLedger.has(ledger, running.get(number).pid());
    }

    /** Kills an instance, and starts it again. */
    void kill(int number) throws IOException {
        assertThat(running.get(number).kill())
                .as("instance %d was alive", number)
                .isTrue();
        running.set(number, start(number));
    }

    /**
     * Stops an instance for good while something holds, as when its host vanishes: its connections stay open. Starts another one in its
     * place.
     */
    void vanish(int number, Callable<Boolean> holding) throws Exception {
        JavaProcess process = running.get(number);
        process.signal("STOP");
        while (!holding.call()) {
            assertThat(System.nanoTime())
                    .as("the time at which it held something")
                    .isLessThan(deadline);
            process.signal("CONT");
            process.signal("STOP");
        }
        vanished.add(process);
        running.set(number, start(number));
    }

    /** Waits until each instance has started. One that has not may find that the other has done all there was to do. */
    void awaitStarted() {
        await("all instances have started", () -> "", () -> {
            for (int i = 0; i < INSTANCES; i++) {
                if (!started(i)) {
                    return false;
                }
            }
            return true;
        });
    }

    /**
     * Waits while anything moves, and no longer than the test may last.
     *
     * @param missing what is waited for
     * @param moving what also moves, beside the instances
     */
    void await(String missing, Callable<?> moving, Callable<Boolean> condition) {
        try {
            Progress.whileMoving(() -> List.of(movement(), moving.call()), () -> {
                boolean holds = condition.call();
                if (!allAlive()) {
                    throw new AssertionError("an instance has ended by itself");
                }
                if (!holds && System.nanoTime() - deadline > 0) {
                    throw new AssertionError("the " + BOUND.toMinutes() + " minutes of this test have passed");
                }
                return holds;
            });
        } catch (AssertionError never) {
            throw new AssertionError(
                    "It never came true that " + missing + ": " + never.getMessage() + "; logs are in " + folder,
                    never);
        }
    }

    /** Returns what grows while an instance starts or works. The CPU time of one that has started grows for ever. */
    private List<Long> movement() throws IOException {
        List<Long> sizes = new ArrayList<>(List.of(Files.size(ledger)));
        for (int i = 0; i < INSTANCES; i++) {
            sizes.add(Files.size(log(i)));
            sizes.add(started(i) ? 0 : running.get(i).cpuMillis());
        }
        return sizes;
    }

    /** Spring Boot says so, with the process id. */
    private boolean started(int number) throws IOException {
        String process = " " + running.get(number).pid() + " ";
        try (var lines = Files.lines(log(number))) {
            return lines.anyMatch(line -> line.contains(process) && line.contains(" : Started "));
        }
    }

    boolean allAlive() {
        return running.stream().allMatch(JavaProcess::isAlive);
    }

    /** Ends all in good order. */
    void stop() throws IOException, InterruptedException {
        for (JavaProcess process : running) {
            process.terminate();
        }
    }

    @Override
    public void close() {
        running.forEach(JavaProcess::close);
        vanished.forEach(JavaProcess::close);
    }
}
