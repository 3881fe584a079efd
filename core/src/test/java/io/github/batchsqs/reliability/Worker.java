/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.reliability;

import io.github.batchsqs.reliability.Ledger.Kind;
import io.github.batchsqs.testkit.JavaProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/** One of the two processes over all of its lives: killed whenever its progress passes the next mark, and started again. */
final class Worker implements AutoCloseable {

    /** How it is killed. */
    enum Signal {
        SIGKILL,
        SIGTERM
    }

    private final Class<?> main;
    private final Job job;
    private final Kind progress;
    private final Signal signal;
    private final Deque<Integer> marks = new ArrayDeque<>();
    private JavaProcess process;
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
    void step(LedgerTail ledger) throws IOException, InterruptedException {
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
    void stop() throws IOException, InterruptedException {
        end(Signal.SIGTERM);
    }

    private void end(Signal how) throws IOException, InterruptedException {
        long asked = System.nanoTime();
        if (how == Signal.SIGKILL) {
            boolean unused = process.kill();
        } else {
            process.terminate();
        }
        Duration took = Duration.ofNanos(System.nanoTime() - asked);
        if (how == Signal.SIGTERM && took.compareTo(longestStop) > 0) {
            longestStop = took;
        }
    }

    private JavaProcess launch() {
        Path log = job.ledger().resolveSibling(main.getSimpleName() + ".log");
        return JavaProcess.start(main, log, List.of("-Xmx128m"), job.arguments());
    }

    @Override
    public void close() {
        process.close();
    }
}
