/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterEndTests {

    /** The process of a run that ends before it has closed its cluster. */
    static final class BrokenOff {

        public static void main(String[] args) throws Exception {
            Cluster unused = new Cluster();
            long processes = ProcessHandle.current().children().count();
            System.exit(processes == 1 ? 0 : 1);
        }
    }

    @Test
    void aRunThatIsBrokenOffLeavesNoFiles(@TempDir Path folder) throws Exception {
        int status = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.io.tmpdir=" + folder,
                        "-cp",
                        System.getProperty("java.class.path"),
                        BrokenOff.class.getName())
                .redirectErrorStream(true)
                .redirectOutput(Redirect.DISCARD)
                .start()
                .waitFor();

        assertThat(status).isZero();
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left.filter(file -> file.getFileName().toString().startsWith("batchsqs")))
                    .isEmpty();
        }
    }
}
