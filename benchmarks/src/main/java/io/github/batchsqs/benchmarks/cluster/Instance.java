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

    private final Process process;
    private final BufferedReader output;
    private final Writer input;
    private Future<?> pending = CompletableFuture.completedFuture(null);

    Instance(Process process) {
        this.process = process;
        this.output = process.inputReader();
        this.input = process.outputWriter();
    }

    /** Starts a listener, stops it, or begins a new ledger. */
    void command(String what, Object of) throws IOException, InterruptedException {
        await(pending);
        send(what, of);
    }

    /** The same without waiting for it; the next command waits for this one. */
    void later(String what, Object of) {
        FutureTask<@Nullable Void> task = new FutureTask<>(() -> {
            send(what, of);
            return null;
        });
        pending = task;
        Thread unused = Thread.ofVirtual().name("cluster-later").start(task);
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
        FutureTask<String> line = new FutureTask<>(output::readLine);
        Thread unused = Thread.ofVirtual().name("cluster-line").start(line);
        String text = await(line);
        if (text == null) {
            throw new IOException("The process " + process.pid() + " of the cluster ended unexpectedly");
        }
        return text;
    }

    private <T extends @Nullable Object> T await(Future<T> future) throws IOException, InterruptedException {
        try {
            return future.get(LONGEST_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            throw new IOException("The process " + process.pid() + " of the cluster did not respond", e);
        }
    }

    /** Sends a signal by its name. */
    void signal(String name) throws IOException, InterruptedException {
        int status = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
        if (status != 0) {
            throw new IOException("kill -" + name + " ended with " + status);
        }
    }

    /** Asks it to end, as Kubernetes does, and waits. */
    void terminate() throws IOException, InterruptedException {
        signal("TERM"); // Process#destroy would close its input as well, and an instance without input is killed
        if (!process.waitFor(LONGEST_SECONDS, TimeUnit.SECONDS)) {
            throw new IOException("The process " + process.pid() + " of the cluster does not stop");
        }
    }

    @Override
    public void close() {
        Process unused = process.destroyForcibly().onExit().join();
    }
}
