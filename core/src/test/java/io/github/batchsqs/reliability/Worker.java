/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.reliability;

import io.github.batchsqs.reliability.Ledger.Kind;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** One of the two processes over all of its lives: killed whenever its progress passes the next mark, and started again. */
final class Worker implements AutoCloseable {

    /** How it is killed. */
    enum Signal {
        SIGKILL,
        SIGTERM
    }

    private static final long LONGEST_END_SECONDS = 60;

    private final Class<?> main;
    private final Job job;
    private final Kind progress;
    private final Signal signal;
    private final Deque<Integer> marks = new ArrayDeque<>();
    private Process process;
    private int kills;
    private Duration longestStop = Duration.ZERO;

    /** Starts it, to be killed so many times while it makes its way through the messages. */
    Worker(Class<?> main, Job job, Kind progress, Signal signal, int kills, Random random) {
        this.main = main;
        this.job = job;
        this.progress = progress;
        this.signal = signal;
        random.ints(kills, job.messages() / 50, job.messages() * 9 / 10)
                .sorted()
                .forEach(marks::add);
        this.process = launch();
    }

    /** Kills it if it is time. */
    void step(LedgerTail ledger) throws InterruptedException {
        Integer mark = marks.peek();
        if (mark != null && ledger.keys(progress).size() >= mark) {
            marks.remove();
            kills += process.isAlive() ? 1 : 0;
            end(signal);
            process = launch();
        }
    }

    /** Whether it was killed as often as it should. */
    boolean survived() {
        return marks.isEmpty();
    }

    int kills() {
        return kills;
    }

    /** From SIGTERM to the end of the process. */
    Duration longestStop() {
        return longestStop;
    }

    /** Ends it in good order. */
    void stop() throws InterruptedException {
        end(Signal.SIGTERM);
    }

    private void end(Signal how) throws InterruptedException {
        long asked = System.nanoTime();
        if (how == Signal.SIGKILL) {
            process.destroyForcibly();
        } else {
            process.destroy();
        }
        if (!process.waitFor(LONGEST_END_SECONDS, TimeUnit.SECONDS)) {
            throw new AssertionError(main.getSimpleName() + " did not end after " + how);
        }
        Duration took = Duration.ofNanos(System.nanoTime() - asked);
        if (how == Signal.SIGTERM && took.compareTo(longestStop) > 0) {
            longestStop = took;
        }
    }

    private Process launch() {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(job.arguments());
        File log = job.ledger().resolveSibling(main.getSimpleName() + ".log").toFile();
        try {
            return new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
