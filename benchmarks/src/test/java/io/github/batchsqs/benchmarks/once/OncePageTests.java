/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.once;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.benchmarks.once.ContestResult.Contestant;
import io.github.batchsqs.benchmarks.once.GrowthResult.Sample;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OncePageTests {

    private static final Statements WITHOUT = new Statements(10_000, 1_000, 1_000, 0, 0, 1_000);
    private static final Statements WITH = new Statements(10_000, 1_000, 1_000, 1_000, 500, 1_100);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @Test
    void hasTheMedianAndTheRangeOfTheRoundsAndOfTheirQuotients() throws IOException {
        ContestResult row = new ContestResult(
                "inbox/batch-10",
                "10",
                List.of(
                        new Contestant("without", List.of(round(2), round(1), round(4)), WITHOUT),
                        new Contestant("inbox", List.of(round(4), round(4), round(5)), WITH)));

        assertThat(page(List.of(row), List.of()))
                .contains(
                        "| inbox, 10 | 5,000 (2,500–10,000) | 2,500 (2,000–2,500) | 0.50 (0.25–0.80) | 0.100 | 0.250 |")
                .doesNotContain("autovacuum");
    }

    @Test
    void hasTheEndOfTheGrowthAndTheLargestTables() throws IOException {
        GrowthResult row = new GrowthResult(
                "growth/inbox",
                "The inbox",
                List.of(
                        new Sample(0, 0.1, 0, 0, 0, 16_384, 0, 0),
                        new Sample(100_000, 20.1, 100_000, 0, 15 << 20, 20 << 20, 0, 7.5),
                        new Sample(200_000, 30.1, 90_000, 60_000, 18 << 20, 25 << 20, 2, 8.1)));

        assertThat(page(List.of(), List.of(row))).contains("| The inbox | 200,000 | 90,000 | 60,000 | 18.0 | 25.0 |");
    }

    private String page(List<ContestResult> contests, List<GrowthResult> growth) throws IOException {
        new OncePage(Map.of("Processors", "2"), "benchmarks/run effectively-once", contests, List.of(), growth)
                .save(folder);
        return OncePage.section(folder);
    }

    /** 10,000 messages; the transactions commit in half of the time. */
    private static Round round(double seconds) {
        return new Round(10_000, 1_000, seconds, seconds / 2);
    }
}
