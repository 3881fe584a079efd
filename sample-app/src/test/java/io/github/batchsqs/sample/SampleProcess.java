/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample;

import io.github.batchsqs.testkit.Progress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The sample application in a process of its own, on a server that outlives it. */
final class SampleProcess implements AutoCloseable {

    private final Process process;
    private final List<String> lines = new ArrayList<>();

    private SampleProcess(Process process) {
        this.process = process;
    }

    static SampleProcess start(URI endpoint, int firstOrders, String... more) {
        return start(List.of(), endpoint, firstOrders, more);
    }

    /** With what ahead-of-time processing made of the beans, instead of looking for them. */
    static SampleProcess startAheadOfTime(URI endpoint, int firstOrders) {
        return start(List.of("-Dspring.aot.enabled=true"), endpoint, firstOrders);
    }

    private static SampleProcess start(List<String> jvm, URI endpoint, int firstOrders, String... more) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(jvm);
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                SampleApplication.class.getName(),
                "--server.port=0",
                "--spring.main.banner-mode=off",
                "--batchsqs.embedded.enabled=false",
                "--spring.cloud.aws.endpoint=" + endpoint,
                "--spring.cloud.aws.region.static=us-east-1",
                "--spring.cloud.aws.credentials.access-key=test",
                "--spring.cloud.aws.credentials.secret-key=test",
                "--sample.visitors=false",
                "--sample.first-orders=" + firstOrders));
        command.addAll(List.of(more));
        try {
            return new SampleProcess(
                    new ProcessBuilder(command).redirectErrorStream(true).start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads what the process says until a line has the pattern. */
    Matcher await(String pattern) throws IOException {
        Pattern wanted = Pattern.compile(pattern);
        BufferedReader output = process.inputReader();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            lines.add(line);
            Matcher matcher = wanted.matcher(line);
            if (matcher.find()) {
                return matcher;
            }
        }
        throw new AssertionError("The process ended without '" + pattern + "':\n" + String.join("\n", lines));
    }

    /** What Ctrl-C and Kubernetes do: asks the process to end. Its output stays open for its last words. */
    void terminate() {
        if (!process.toHandle().destroy()) {
            throw new AssertionError("The process had ended before");
        }
    }

    /** How many orders it handled in its life, as it says at its end. */
    long handledInAll() throws IOException, InterruptedException {
        long handled = Long.parseLong(await("Handled (\\d+) orders in all").group(1));
        Progress.until(() -> !process.isAlive());
        return handled;
    }

    /** The exit code of a process that has ended. */
    int exitCode() {
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
