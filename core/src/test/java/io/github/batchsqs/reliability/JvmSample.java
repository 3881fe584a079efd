/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.reliability;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The state of this JVM at one moment.
 *
 * @param messages how many were run before
 * @param behind of these, how many had not run when the last was sent
 * @param took since the first of them
 * @param heap what is left of it after a collection, in bytes
 * @param threads those of the library, virtual ones included
 * @param platformThreads those of everybody: the server, the proxy, the test and the JVM
 */
record JvmSample(int messages, int behind, Duration took, long heap, long threads, int platformThreads) {

    static JvmSample take(int messages, int behind, Duration took) throws IOException {
        System.gc();
        return new JvmSample(
                messages,
                behind,
                took,
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
                libraryThreads(),
                ManagementFactory.getThreadMXBean().getThreadCount());
    }

    /** Counted in a thread dump, for nothing else tells of virtual threads. */
    private static long libraryThreads() throws IOException {
        Path directory = Files.createTempDirectory("threads");
        Path dump = directory.resolve("dump");
        try {
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .dumpThreads(dump.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN);
            return Files.readString(dump)
                    .lines()
                    .filter(line -> line.startsWith("#") && line.contains("\"batchsqs-"))
                    .count();
        } finally {
            Files.deleteIfExists(dump);
            Files.deleteIfExists(directory);
        }
    }

    /** A row of the table in docs/reliability.md. */
    @Override
    public String toString() {
        return "| %d | %d | %.1f | %d | %d | %d |"
                .formatted(messages, behind, heap / 1_048_576.0, threads, platformThreads, took.toSeconds());
    }
}
