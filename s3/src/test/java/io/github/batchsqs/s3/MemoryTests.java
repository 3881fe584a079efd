/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.s3;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.testkit.Progress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Payloads of several times the heap pass through it. Runs with {@code -Dbatchsqs.test.payloads=1000}, which makes 5 GB. */
@EnabledIfSystemProperty(named = "batchsqs.test.payloads", matches = "[0-9]+")
class MemoryTests {

    private static final int COUNT = Integer.getInteger("batchsqs.test.payloads", 80);
    private static final int SIZE = 5 << 20;

    @TempDir
    private Path folder;

    @Test
    void payloadsOfSeveralTimesTheHeapPassThroughIt() throws IOException {
        Path output = folder.resolve("output");
        String queue = Queues.standard();
        try (S3Server s3 = S3Server.ofSizes()) {
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx256m",
                            "-XX:+ExitOnOutOfMemoryError",
                            "-cp",
                            System.getProperty("java.class.path"),
                            LargePayloads.class.getName(),
                            Queues.ENDPOINT.toString(),
                            s3.endpoint().toString(),
                            queue,
                            Integer.toString(COUNT),
                            Integer.toString(SIZE))
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            try {
                Progress.whileMoving(s3.calls::size, () -> !process.isAlive());
            } finally {
                process.destroyForcibly();
            }
            String text = Files.readString(output);
            assertThat(process.exitValue()).as(text).isZero();
            assertThat(text).contains("handled ");
            assertThat(s3.count(S3Server.Call::isPut)).isGreaterThanOrEqualTo(COUNT);
            assertThat(Queues.size(queue)).isZero();
        }
    }
}
