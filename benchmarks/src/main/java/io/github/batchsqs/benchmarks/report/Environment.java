/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.report;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.util.VersionInfo;

/** The date, the commit, the machine and the versions. */
public final class Environment {

    private static final List<String> SHOWN =
            List.of("Date", "Commit", "Processors", "Java", "Spring Cloud AWS", "Calls", "Remark");

    private Environment() {}

    /** Returns them by name. */
    public static Map<String, String> describe() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("Date", LocalDate.now(ZoneOffset.UTC).toString());
        all.put("Commit", commit());
        all.put("Processors", Integer.toString(Runtime.getRuntime().availableProcessors()));
        all.put("Processor", line("/proc/cpuinfo", "model name"));
        all.put("Memory", line("/proc/meminfo", "MemTotal"));
        all.put("Operating system", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        all.put("Java", System.getProperty("java.vm.name") + " " + Runtime.version());
        all.put("AWS SDK", String.valueOf(VersionInfo.SDK_VERSION));
        all.put("Spring Cloud AWS", jar("spring-cloud-aws-sqs"));
        all.put("AWS CRT client", jar("aws-crt-client"));
        all.put("java-dynamic-sqs-listener", jar("java-dynamic-sqs-listener-core"));
        return all;
    }

    /** Returns a line of a page: the command, and what decides its figures. */
    public static String line(String command, Map<String, String> environment) {
        return SHOWN.stream()
                .filter(environment::containsKey)
                .map(key -> key + " "
                        + Objects.requireNonNull(environment.get(key)).replace("OpenJDK 64-Bit Server VM ", ""))
                .collect(Collectors.joining("; ", "`" + command + "`. ", "."));
    }

    /** With {@code -dirty} if there are changes. */
    private static String commit() {
        try (BufferedReader output = new ProcessBuilder("git", "describe", "--always", "--dirty", "--exclude=*")
                .start()
                .inputReader()) {
            return Objects.requireNonNullElse(output.readLine(), "unknown");
        } catch (IOException e) {
            return "unknown"; // Not a checkout, or no git
        }
    }

    private static String line(String file, String key) {
        try {
            if (!Files.exists(Path.of(file))) {
                return "unknown";
            }
            return Files.readAllLines(Path.of(file)).stream()
                    .filter(each -> each.startsWith(key))
                    .findFirst()
                    .map(each -> each.substring(each.indexOf(':') + 1).strip())
                    .orElse("unknown");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The version in the name of a jar on the class path. */
    private static String jar(String artifact) {
        @Nullable String found = null;
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            String name = String.valueOf(Path.of(entry).getFileName());
            if (name.startsWith(artifact + "-") && name.endsWith(".jar")) {
                found = name.substring(artifact.length() + 1, name.length() - ".jar".length());
            }
        }
        return found == null ? "unknown" : found;
    }
}
