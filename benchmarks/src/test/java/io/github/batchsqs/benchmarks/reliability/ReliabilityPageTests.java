/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.reliability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReliabilityPageTests {

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @BeforeEach
    void earlierRuns() throws IOException {
        write(
                folder.resolve("reliability.tsv"),
                row("KillTests", "SIGKILL, FIFO", "2026-01-01", "ElasticMQ 1.0"),
                row("KillTests", "SIGTERM, FIFO", "2026-01-01", "ElasticMQ 1.0"),
                row("KillTests", "SIGKILL, FIFO", "2026-01-01", "LocalStack 4.0"),
                row("SoakTests", "soak, standard", "2026-01-01", "ElasticMQ 1.0"));
    }

    @Test
    void aRunReplacesTheRowsOfItsTestsOnItsServerAlone() throws IOException {
        String page = renew(row("KillTests", "SIGKILL, FIFO", "2026-02-02", "ElasticMQ 2.0"));

        assertThat(page.lines().filter(line -> line.startsWith("| SIG") || line.startsWith("| soak")))
                .containsExactly(
                        "| SIGKILL, FIFO | ElasticMQ 2.0 | 20,000 | 0 | 3 (1200) | 0 (0) | 0 | – | 2026-02-02, abc |",
                        "| SIGKILL, FIFO | LocalStack 4.0 | 20,000 | 0 | 3 (1200) | 0 (0) | 0 | – | 2026-01-01, abc |",
                        "| soak, standard | ElasticMQ 1.0 | 20,000 | 0 | 3 (1200) | 0 (0) | 0 | – | 2026-01-01, abc |");
    }

    @Test
    void rowsCountOnce() throws IOException {
        String page = renew(row("KillTests", "SIGKILL, FIFO", "2026-02-02", "ElasticMQ 2.0"));

        assertThat(folder.resolve("fresh")).doesNotExist();
        assertThat(renew()).isEqualTo(page);
    }

    @Test
    void aLineThatIsNoRowIsRefused() {
        assertThatThrownBy(() -> renew("KillTests\tSIGKILL"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("14 texts", "has 2", "SIGKILL", "Run .ci/reliability/run --full again");
    }

    private String renew(String... rows) throws IOException {
        Path fresh = folder.resolve("fresh");
        if (rows.length > 0) {
            write(fresh, rows);
        }
        ReliabilityPage.renew(fresh, folder);
        return ReliabilityPage.section(folder);
    }

    private static String row(String test, String tried, String date, String server) {
        return String.join(
                "\t",
                test,
                tried,
                "7",
                "20000",
                "20 kills",
                "0",
                "3 (1200)",
                "0 (0)",
                "0",
                "–",
                "direct",
                date,
                "abc",
                server);
    }

    private static void write(Path file, String... lines) throws IOException {
        Path unused = Files.writeString(file, String.join("\n", lines) + "\n");
    }
}
