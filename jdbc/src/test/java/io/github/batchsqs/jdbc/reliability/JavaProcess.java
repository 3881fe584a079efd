/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.reliability;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.testkit.Progress;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A process with a class of these tests as its main class. It is killed, and started again as another one. */
final class JavaProcess implements AutoCloseable {

    private final Process process;

    /** Starts a process. Its input is a pipe, which ends with this process, and so does the process. */
    private JavaProcess(Process process) {
        this.process = process;
    }

    /** Starts a process that writes its output to the end of a log. */
    static JavaProcess start(Class<?> main, Path log, List<String> arguments) throws IOException {
        return new JavaProcess(builder(main, "-Xmx160m", arguments)
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(log.toFile()))
                .start());
    }

    static ProcessBuilder builder(Class<?> main, String heap, List<String> arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                heap,
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(arguments);
        return new ProcessBuilder(command);
    }

    long pid() {
        return process.pid();
    }

    /** Returns the CPU time so far, as far as the platform knows it. */
    long cpuMillis() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO).toMillis();
    }

    boolean isAlive() {
        return process.isAlive();
    }

    /** Sends SIGKILL, and waits until the process has ended. Returns whether it was alive. */
    boolean kill() {
        boolean alive = process.isAlive();
        Process unused = process.destroyForcibly().onExit().join();
        return alive;
    }

    /** Sends a signal, such as {@code STOP}. */
    void signal(String name) throws IOException, InterruptedException {
        int status = new ProcessBuilder("kill", "-" + name, Long.toString(pid()))
                .start()
                .waitFor();
        if (status != 0 && process.isAlive()) {
            throw new IOException("kill -" + name + " ended with " + status);
        }
    }

    /** Sends SIGTERM, as platforms do, and waits until the process has ended. */
    void terminate() throws IOException, InterruptedException {
        signal("TERM"); // Process#destroy would close its input as well, and it is killed then
        Progress.untilAsserted(() -> assertThat(process.isAlive())
                .as("process %d runs on after SIGTERM", pid())
                .isFalse());
    }

    @Override
    public void close() {
        boolean unused = kill();
    }
}
