/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.run;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.PlatformManagedObject;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * What this process has used. The CPU time of compiler threads comes from Linux, because no bean reports it;
 * elsewhere it counts as the client's.
 *
 * @param cpuNanos of the process without the JIT compiler's threads
 * @param allocatedBytes on the heap, by all threads
 */
record Meter(long cpuNanos, long allocatedBytes) {

    private static final Path THREADS = Path.of("/proc/self/task");
    private static final Path STATUS = Path.of("/proc/self/status");

    static Meter read() throws IOException {
        long cpu = bean(OperatingSystemMXBean.class).getProcessCpuTime();
        return new Meter(cpu - compilerNanos(), bean(ThreadMXBean.class).getTotalThreadAllocatedBytes());
    }

    static double peakRssMiB() throws IOException {
        if (!Files.exists(STATUS)) {
            return 0;
        }
        String line = Files.readAllLines(STATUS).stream()
                .filter(each -> each.startsWith("VmHWM"))
                .findFirst()
                .orElse("VmHWM: 0 kB");
        return Long.parseLong(line.replaceAll("[^0-9]", "")) / 1024.0;
    }

    static double load() {
        return bean(OperatingSystemMXBean.class).getSystemLoadAverage();
    }

    private static long compilerNanos() throws IOException {
        if (!Files.exists(THREADS)) {
            return 0;
        }
        long nanos = 0;
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(THREADS)) {
            for (Path thread : threads) {
                nanos += compilerNanos(thread);
            }
        }
        return nanos;
    }

    private static long compilerNanos(Path thread) throws IOException {
        try {
            String name = Files.readString(thread.resolve("comm"));
            if (!name.startsWith("C1 Comp") && !name.startsWith("C2 Comp")) {
                return 0;
            }
            String times = Files.readString(thread.resolve("schedstat"));
            return Long.parseLong(times, 0, times.indexOf(' '), 10);
        } catch (NoSuchFileException e) {
            return 0; // the thread ended
        }
    }

    private static <T extends PlatformManagedObject> T bean(Class<T> type) {
        return ManagementFactory.getPlatformMXBean(type);
    }
}
