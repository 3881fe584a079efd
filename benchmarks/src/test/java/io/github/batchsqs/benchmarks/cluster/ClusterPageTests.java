/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.benchmarks.cluster.ClusterResult.Calls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page of made-up results. */
class ClusterPageTests {

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @Test
    void hasTheFiguresOfARow() throws IOException {
        assertThat(page(result("drain/16", false)))
                .contains("| a row | 2,400 | 1.25 | 0.500 | 0.90–1.10 | 12.0 | 0 | 3 (0) | 0 |");
    }

    @Test
    void marksARowThatFailedAlsoIfItOnlyShowedNothing() throws IOException {
        assertThat(page(result("fault/clock", true)))
                .contains("| a row **(failed)** |")
                .doesNotContain("libfaketime");
        assertThat(result("fault/clock", false).failed()).isFalse();
    }

    @Test
    void saysThatTheRowsOfAWrongClockAreMissing() throws IOException {
        assertThat(page(result("fault/kill", false)))
                .contains("The rows of a wrong clock are missing: the machine had no libfaketime.");
    }

    @Test
    void hasTheCostOfADay() throws IOException {
        assertThat(day(21, 0)).contains("| 5 | 1.23 | 16 | 0.500 | 0.20 | 0.06 | 21.0 | 310 |");
    }

    @Test
    void hasNoDelayOfADayThatIsOnlyThatOfACall() throws IOException {
        assertThat(day(2.4, 0)).contains("| 0.06 | < 15 | 310 |");
    }

    @Test
    void marksADayThatFailed() throws IOException {
        assertThat(day(21, 1)).contains("| 5 **(failed)** |");
    }

    private String day(double delaySeconds, long lost) throws IOException {
        Day.Result day =
                new Day.Result("day/5", "5", 168_000, 1.234, 16, 7, 0.5, 0.2, 0.06, delaySeconds, 310, lost, 0);
        return written(new ClusterPage(Map.of(), "", List.of(), List.of(day)));
    }

    private String page(ClusterResult row) throws IOException {
        return written(new ClusterPage(Map.of("Processors", "2"), "benchmarks/run cluster", List.of(row), List.of()));
    }

    private String written(ClusterPage page) throws IOException {
        page.save(folder);
        return ClusterPage.section(folder);
    }

    private static ClusterResult result(String row, boolean showsNothing) {
        Calls receives = new Calls(4_000, 500, 500, 24_000);
        Calls deletes = new Calls(3_000, 100, 0, 24_000);
        return new ClusterResult(
                row, "a row", 24_000, 10, 8, 0.5, 0.9, 1.1, 12, 345, receives, deletes, 0, 3, 0, 0, showsNothing);
    }
}
