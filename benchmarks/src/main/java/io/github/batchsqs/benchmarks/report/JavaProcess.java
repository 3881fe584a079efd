/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.report;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Processes of Java with the classes of this one. */
public final class JavaProcess {

    private JavaProcess() {}

    /** Returns what starts one. */
    public static ProcessBuilder of(List<String> flags, String main, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
        command.addAll(arguments);
        return new ProcessBuilder(command);
    }
}
