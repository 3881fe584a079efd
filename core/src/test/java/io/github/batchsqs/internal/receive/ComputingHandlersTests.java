/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.testkit.Progress;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Handlers that hold every carrier, each case in a JVM of its own with two processors. {@link ComputingProcess} has the cases; it ends with
 * 0 if all was well.
 */
class ComputingHandlersTests {

    @TempDir
    private Path directory;

    @Test
    void leasesAreKeptAndMessagesDeletedWhileOtherCodeHoldsAllCarriers() throws Exception {
        run("other-code");
    }

    @Test
    void handledMessagesAreDeletedAndOthersReceivedWhileOtherCodeHoldsAllCarriers() throws Exception {
        run("deletes");
    }

    @Test
    void aStopReturnsWhatDidNotRunWhileAllHandlersCompute() throws Exception {
        run("stop");
    }

    private void run(String what) throws Exception {
        File log = directory.resolve("process.log").toFile();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:ActiveProcessorCount=2",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                ComputingProcess.class.getName(),
                what));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start();
        try {
            Progress.whileMoving(log::length, () -> !process.isAlive());
            assertThat(process.exitValue()).as(Files.readString(log.toPath())).isZero();
        } finally {
            process.destroyForcibly();
        }
    }
}
