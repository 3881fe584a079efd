/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The scripts find a JDK that can build the project, each by itself. */
class ScriptsTests {

    @Test
    void allThatRunMavenLookForAJdk() throws IOException {
        for (String folder : List.of(".ci", "benchmarks/run", "benchmarks/footprint")) {
            assertThat(Page.files(Page.ROOT.resolve(folder), "")
                            .filter(file -> !file.getFileName().toString().contains("."))
                            .filter(file -> Page.text(file).contains("mvnw")))
                    .isNotEmpty()
                    .allSatisfy(script -> assertThat(script).content().contains(". .ci/jdk\n", "\nuse_jdk"));
        }
    }

    /** As on a machine whose default is too old, beside a newer one. */
    @Test
    @DisabledOnOs(OS.WINDOWS)
    void passOverAJdkThatIsTooOld(@TempDir Path machine) throws Exception {
        Path old = jdk(machine.resolve("old"), "javac 17.0.9");
        jdk(machine.resolve(".jdks/new"), "javac 25.0.1");
        for (String shell : List.of("sh", "bash")) {
            ProcessBuilder script =
                    new ProcessBuilder(shell, "-eu", "-c", ". .ci/jdk; use_jdk; echo $JAVA_HOME; javac -version");
            script.directory(Page.ROOT.toFile()).redirectErrorStream(true);
            script.environment().put("JAVA_HOME", old.toString());
            script.environment().put("HOME", machine.toString());
            script.environment().merge("PATH", old.resolve("bin") + ":", (path, first) -> first + path);
            Process process = script.start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(output).isZero();
            assertThat(output.lines().toList())
                    .hasSize(2)
                    .first()
                    .asString()
                    .isNotEmpty()
                    .isNotEqualTo(old.toString());
            assertThat(output.lines().toList().getLast()).matches("javac (2[1-9]|[3-9]\\d).*");
        }
    }

    private static Path jdk(Path home, String version) throws IOException {
        Path javac = Files.createDirectories(home.resolve("bin")).resolve("javac");
        Files.writeString(javac, "#!/bin/sh\necho " + version + "\n");
        assertThat(javac.toFile().setExecutable(true)).isTrue();
        return home;
    }
}
