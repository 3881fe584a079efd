/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A process that confirms each command by a line. */
final class Instance implements AutoCloseable {

    private static final long LONGEST_SECONDS = 120;

    /** Up to 16 of them start at once. */
    private static final long LONGEST_START_SECONDS = 600;

    private final Process process;
    private final BufferedReader output;
    private final Writer input;
    private Future<?> pending = CompletableFuture.completedFuture(null);
    private long secondsAhead;
    private String calls = "unknown";

    Instance(Process process) {
        this.process = process;
        this.output = process.inputReader();
        this.input = process.outputWriter();
    }

    /** Blocks until it is ready; its line has the time of its clock, and how it calls SQS. */
    void awaitReady() throws IOException, InterruptedException {
        String[] words = next(LONGEST_START_SECONDS).split(" ", 2);
        long clock = Long.parseLong(words[0]);
        calls = words[1];
        secondsAhead = TimeUnit.MILLISECONDS.toSeconds(clock - System.currentTimeMillis());
    }

    /** By how much its clock was ahead of that of this process when it was ready. */
    long secondsAhead() {
        return secondsAhead;
    }

    /** Through which client it calls SQS. */
    String calls() {
        return calls;
    }

    /** Starts a listener, stops it, or begins a new ledger. */
    void command(String what, Object of) throws IOException, InterruptedException {
        awaitConfirmation();
        send(what, of);
    }

    /** Blocks until the commands that were not waited for are confirmed. */
    void awaitConfirmation() throws IOException, InterruptedException {
        Object unused = await(pending, LONGEST_SECONDS);
    }

    /** The same without waiting for it; the next command waits for this one. Returns when it was confirmed, by the monotonic clock. */
    Future<Long> later(String what, Object of) {
        Future<?> before = pending;
        FutureTask<Long> task = new FutureTask<>(() -> {
            await(before, LONGEST_SECONDS);
            send(what, of);
            return System.nanoTime();
        });
        pending = task;
        Thread unused = Thread.ofVirtual().name("cluster-later").start(task);
        return task;
    }

    private void send(String what, Object of) throws IOException, InterruptedException {
        input.write(what + " " + of + "\n");
        input.flush();
        String unused = next();
    }

    void ledger(Path file) throws IOException, InterruptedException {
        command("ledger", file);
    }

    /** Blocks until the next line. */
    String next() throws IOException, InterruptedException {
        return next(LONGEST_SECONDS);
    }

    private String next(long withinSeconds) throws IOException, InterruptedException {
        FutureTask<String> line = new FutureTask<>(output::readLine);
        Thread unused = Thread.ofVirtual().name("cluster-line").start(line);
        String text = await(line, withinSeconds);
        if (text == null) {
            throw new IOException("The process " + process.pid() + " of the cluster ended unexpectedly");
        }
        return text;
    }

    private <T extends @Nullable Object> T await(Future<T> future, long withinSeconds)
            throws IOException, InterruptedException {
        try {
            return future.get(withinSeconds, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            throw new IOException("The process " + process.pid() + " of the cluster did not respond", e);
        }
    }

    /** Makes it hang for some seconds. The shell that continues it does so although this process is killed meanwhile. */
    void hang(int seconds) throws IOException, InterruptedException {
        int status = new ProcessBuilder(
                        "sh",
                        "-c",
                        "kill -STOP \"$0\" && sleep \"$1\"; kill -CONT \"$0\"",
                        Long.toString(process.pid()),
                        Integer.toString(seconds))
                .start()
                .waitFor();
        if (status != 0) {
            throw new IOException(
                    "The process " + process.pid() + " of the cluster could not be stopped and continued");
        }
    }

    /** Asks it to end, as Kubernetes does, and waits. */
    void terminate() throws IOException, InterruptedException {
        // Process#destroy would close its input as well, and an instance without input is killed
        int status = new ProcessBuilder("kill", "-TERM", Long.toString(process.pid()))
                .start()
                .waitFor();
        if (status != 0) {
            throw new IOException("kill -TERM ended with " + status);
        }
        if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
            throw new IOException("The process " + process.pid() + " of the cluster does not stop");
        }
    }

    @Override
    public void close() {
        Process unused = process.destroyForcibly().onExit().join();
    }
}
