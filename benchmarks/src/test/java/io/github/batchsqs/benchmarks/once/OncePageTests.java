/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.once;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.benchmarks.once.ContestResult.Contestant;
import io.github.batchsqs.benchmarks.once.GrowthResult.Sample;
import java.io.IOException;
import java.nio.file.Files;
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
    void thePageOfRecordIsThatOfItsResults() throws IOException {
        Path pages = Path.of("../docs/benchmarks");

        assertThat(OncePage.text(Path.of("results"), pages))
                .contains(Files.readString(pages.resolve("effectively-once.md")));
    }

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
                        "| 10 | 5,000 (2,500–10,000) | 2,500 (2,000–2,500) | 0.50 (0.25–0.80) | 10.0 | 10.0 |",
                        "| inbox/batch-10, without | 10.0 | 1.00 | 1.00 | 0.00 | 0.00 | 1.00 | 0.100 |",
                        "| inbox/batch-10, inbox | 10.0 | 2.50 | 1.00 | 1.00 | 0.50 | 1.10 | 0.250 |")
                .doesNotContain("## Throughput of the outbox", "## Growth");
    }

    @Test
    void hasTheTransactionsOfTheOutbox() throws IOException {
        ContestResult row = new ContestResult(
                "outbox/batch-10",
                "10",
                List.of(
                        new Contestant("after-commit", List.of(round(1)), WITHOUT),
                        new Contestant("outbox", List.of(round(2)), WITH)));

        assertThat(page(List.of(row), List.of()))
                .contains("| 10 | 10,000 (10,000–10,000) | 5,000 (5,000–5,000) | 0.50 (0.50–0.50)"
                        + " | 2,000 (2,000–2,000) | 1,000 (1,000–1,000) |");
    }

    @Test
    void hasTheGrowthSinceTheSampleBefore() throws IOException {
        GrowthResult row = new GrowthResult(
                "growth/inbox",
                "The inbox",
                List.of(
                        new Sample(0, 0.1, 0, 0, 0, 16_384, 0, 0),
                        new Sample(100_000, 20.1, 100_000, 0, 15 << 20, 20 << 20, 0, 7.5),
                        new Sample(200_000, 30.1, 90_000, 60_000, 18 << 20, 25 << 20, 2, 8.1)));

        assertThat(page(List.of(), List.of(row)))
                .contains(
                        "### The inbox\n\n200,000 messages took 30.1 s; autovacuum ran 2 times.",
                        "| 0 | 0 | 0 | 0.0 | 0.0 | 0 | – | – |",
                        "| 100,000 | 100,000 | 0 | 15.0 | 20.0 | 0 | 5,000 | 7.5 |",
                        "| 200,000 | 90,000 | 60,000 | 18.0 | 25.0 | 2 | 10,000 | 8.1 |");
    }

    private String page(List<ContestResult> contests, List<GrowthResult> growth) throws IOException {
        new OncePage(Map.of("Processors", "2"), "benchmarks/run effectively-once", contests, growth).save(folder);
        OncePage.write(folder, folder);
        return Files.readString(folder.resolve("effectively-once.md"));
    }

    /** 10,000 messages; the transactions commit in half of the time. */
    private static Round round(double seconds) {
        return new Round(10_000, 1_000, seconds, seconds / 2);
    }
}
