/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

/** A process with a class of these tests as its main class. It is killed, and started again as another one. */
public final class JavaProcess implements AutoCloseable {

    private final Process process;
    private final Path log;

    private JavaProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /** Starts a process that writes its output to the end of a log. Its input is a pipe, which ends with this process. */
    public static JavaProcess start(Class<?> main, Path log, List<String> options, List<String> arguments) {
        try {
            Process started = builder(main, options, arguments)
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.appendTo(log.toFile()))
                    .start();
            return new JavaProcess(started, log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a process that is not started. Without a collector among its options, it is one of few threads. */
    public static ProcessBuilder builder(Class<?> main, List<String> options, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        if (options.stream().noneMatch(option -> option.endsWith("GC"))) {
            command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        return new ProcessBuilder(command);
    }

    public long pid() {
        return process.pid();
    }

    /** Returns the CPU time so far, as far as the platform knows it. */
    public long cpuMillis() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toMillis();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Waits until the process ends by itself, while anything moves; it fails unless the end is a good one. */
    public void awaitGoodEnd(Callable<?> moving) throws IOException {
        Progress.whileMoving(moving, () -> !process.isAlive());
        if (process.exitValue() != 0) {
            throw new AssertionError("ended with " + process.exitValue() + ": " + Files.readString(log));
        }
    }

    /** Sends SIGKILL, and waits until the process has ended. Returns whether it was alive. */
    public boolean kill() {
        boolean alive = process.isAlive();
        Process unused = process.destroyForcibly().onExit().join();
        return alive;
    }

    /** Sends a signal, such as {@code STOP}. */
    public void signal(String name) throws IOException, InterruptedException {
        int status = new ProcessBuilder("kill", "-" + name, Long.toString(pid()))
                .start()
                .waitFor();
        if (status != 0 && process.isAlive()) {
            throw new IOException("kill -" + name + " ended with " + status);
        }
    }

    /** Sends SIGTERM, as platforms do, and waits until the process has ended. */
    public void terminate() throws IOException, InterruptedException {
        signal("TERM"); // Process#destroy would close its input as well, and it is killed then
        Progress.until(() -> !process.isAlive());
    }

    @Override
    public void close() {
        boolean unused = kill();
    }
}
