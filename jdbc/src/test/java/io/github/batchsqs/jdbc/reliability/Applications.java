/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.reliability;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Two instances of an application, one of which is killed at a time and started again. */
final class Applications implements AutoCloseable {

    static final int INSTANCES = 2;

    private final Class<?> main;
    private final Path folder;
    private final Path ledger;
    private final List<String> settings;
    private final List<JavaProcess> running = new ArrayList<>();
    private int kills;

    /** Starts both. */
    Applications(Class<?> main, Path folder, SqsProcess sqs, Postgres database, String queue, List<String> more)
            throws IOException {
        this.main = main;
        this.folder = folder;
        this.ledger = Files.createFile(folder.resolve("ledger"));
        this.settings = new ArrayList<>(List.of(
                "--spring.main.banner-mode=off",
                "--spring.cloud.aws.region.static=us-east-1",
                "--spring.cloud.aws.credentials.access-key=key",
                "--spring.cloud.aws.credentials.secret-key=secret",
                "--spring.cloud.aws.sqs.endpoint=" + sqs.endpoint(),
                "--spring.datasource.url=" + database.url(),
                "--spring.datasource.hikari.maximum-pool-size=16",
                "--spring.datasource.hikari.connection-timeout=5000",
                "--batchsqs.jdbc.initialize-schema=always",
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
        return JavaProcess.start(main, log(number), arguments);
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
        kills += running.get(number).kill() ? 1 : 0;
        running.set(number, start(number));
    }

    /** Returns how many instances were alive when they were killed. */
    int kills() {
        return kills;
    }

    /** Returns what grows while an instance starts or works. */
    List<Long> movement() throws IOException {
        List<Long> sizes = new ArrayList<>(List.of(Files.size(ledger)));
        for (int i = 0; i < INSTANCES; i++) {
            sizes.add(Files.size(log(i)));
            sizes.add(works(i) ? 0 : running.get(i).cpuMillis());
        }
        return sizes;
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
    }
}
