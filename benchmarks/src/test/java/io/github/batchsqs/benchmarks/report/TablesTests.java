/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.benchmarks.run.HandlerLatency;
import io.github.batchsqs.benchmarks.run.Listening;
import io.github.batchsqs.benchmarks.run.Measurement;
import io.github.batchsqs.benchmarks.run.Round;
import io.github.batchsqs.benchmarks.run.Row;
import io.github.batchsqs.benchmarks.run.WarmUp;
import io.github.batchsqs.benchmarks.run.Work;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The pages of made-up results. */
class TablesTests {

    private static final Listening NOTHING = (target, handler) -> {};
    private static final Work WORK = new Work.Drain(1, 1, 100, 1, Work.Handler.NOTHING, false);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @Test
    void showsMedianAndRangeOverAllRoundsOfAllPasses() throws IOException {
        write(
                pass("defaults/some/spring", true, 1_000, 1_000),
                pass("defaults/some/batchsqs", true, 10_000, 30_000),
                pass("defaults/some/batchsqs", true, 20_000, 40_000));

        assertThat(page("defaults"))
                .contains(
                        "| some | defaults | messages/s | 1,000 (1,000–1,000) `spring` | 25,000 (10,000–40,000) `batchsqs` |");
    }

    @Test
    void marksARowThatWasNotFlatWhenItsWarmUpEnded() throws IOException {
        write(pass("peers/trickle-1/batchsqs", true, 10_000), pass("peers/trickle-1/batchsqs", false, 10_000));

        assertThat(page("peers")).contains("| trickle-1 | batchsqs † | 10,000 | 0.200 | – | – |");
    }

    @Test
    void theLadderComparesEachRowWithBatchSqs() throws IOException {
        write(pass("ladder/some/one", true, 1_000), pass("ladder/some/batchsqs", true, 25_000));

        assertThat(page("ladder")).contains("| one | – | 1,000 | 0.200 | 25.0 |");
    }

    @Test
    void aResultSurvivesBeingWrittenAndRead() throws IOException {
        Measurement measurement = pass("peers/some/batchsqs", false, 10_000, 20_000);
        write(measurement);

        assertThat(Results.read(Results.file(folder, "peers")).measurements()).containsExactly(measurement);
    }

    @Test
    void theTableOfTheWireComparesWithTheBareClientAndTheBestPeer() throws IOException {
        write(
                pass("wire/receive-list-some/bare-client-8", true, 100_000),
                pass("wire/receive-list-some/batchsqs-200", true, 50_000),
                pass("wire/receive-list-some/batchsqs-200-sendall-meters", true, 90_000),
                pass("wire/receive-list-some/spring-slow", true, 10_000),
                pass("wire/receive-list-some/spring-fast", false, 25_000),
                pass("wire/receive-list-some/spring-fast-meters", true, 90_000));

        assertThat(page("wire"))
                .contains("| receive-list-some | messages/s | 100,000 | 50,000 | 0.50 | – |"
                        + " 25,000 † `spring-fast` | 2.00 | – |")
                .contains("|  | CPU µs | 10.0 | 20.0 | 2.00 | ≤ 1.50: missed |"
                        + " 40.0 † `spring-fast` | 0.50 | ≤ 0.33: missed |");
    }

    @Test
    void aRowWithATracerIsComparedWithTheOneWithout() throws IOException {
        write(
                pass("wire/receive-list-some/batchsqs-200-meters", true, 50_000),
                pass("wire/receive-list-some/batchsqs-200-meters-tracer", true, 40_000));

        assertThat(page("wire")).contains("| receive-list-some | CPU µs | 20.0 | 25.0 | 1.25 | ≤ 1.30: reached |");
    }

    @Test
    void defaultsAreComparedWithDefaultsAndTheFastestOfTheTunedWithTuned() throws IOException {
        write(
                pass("defaults/receive-single-standard/spring", true, 500),
                pass("defaults/receive-single-standard/batchsqs", true, 20_000),
                pass("defaults/receive-single-standard/spring-2000-fixed-virtual-crt-ack-100ms", true, 25_000),
                pass("defaults/receive-single-standard/spring-2000-fixed-virtual-crt-ack-default", false, 40_000),
                pass("defaults/receive-single-standard/batchsqs-200", true, 50_000));

        assertThat(page("defaults"))
                .contains(
                        "| receive-single-standard | defaults | messages/s | 500 `spring` | 20,000 `batchsqs` | 40.00 |")
                .contains("| receive-single-standard | tuned | messages/s |"
                        + " 40,000 † `spring-2000-fixed-virtual-crt-ack-default` | 50,000 `batchsqs-200` | 1.25 |")
                .contains("| tuned | CPU µs | 25.0 †");
        assertThat(Files.readString(folder.resolve("defaults-and-tuned.svg")))
                .contains("Spring Cloud AWS, defaults", "BatchSQS, tuned", "40,000");
    }

    @Test
    void aTrialWithoutTheShapeOfTheChartHasNoChart() throws IOException {
        write(pass("defaults/receive-list-standard/spring", true, 500));

        assertThat(page("defaults")).contains("## Defaults and tuned");
        assertThat(folder.resolve("defaults-and-tuned.svg")).doesNotExist();
    }

    @Test
    void aQuotientComparesTheRoundsOfOnePass() throws IOException {
        write(
                pass("wire/receive-list-some/bare-client-8", true, 100_000),
                pass("wire/receive-list-some/batchsqs-200", true, 50_000),
                pass("wire/receive-list-some/bare-client-8", true, 50_000),
                pass("wire/receive-list-some/batchsqs-200", true, 25_000),
                pass("wire/receive-list-some/bare-client-8", true, 20_000),
                pass("wire/receive-list-some/batchsqs-200", true, 20_000));

        assertThat(page("wire"))
                .contains("| messages/s | 50,000 (20,000–100,000) | 25,000 (20,000–50,000) | 0.50 (0.50–1.00) |");
    }

    @Test
    void thePeersBestIsTheBestInEachFigure() throws IOException {
        write(
                pass("wire/receive-list-some/batchsqs-200", true, 50_000),
                new Measurement(
                        "wire/receive-list-some/spring-fast",
                        null,
                        List.of(new Round(1, 1, 20_000, 60, 1_000, 0.2, Map.of(), 0, 0, 0, 7, null)),
                        300,
                        1,
                        null),
                pass("wire/receive-list-some/spring-lean", true, 19_000));

        assertThat(page("wire"))
                .contains("| 20,000 `spring-fast` | 2.50 | – |")
                .contains("| 52.6 `spring-lean` | 0.38 | ≤ 0.33: missed |");
    }

    @Test
    void theTableOfConcurrenciesComparesWithTheBestRateAndTheLowestLatency() throws IOException {
        write(
                handled("concurrency/some/batchsqs-10", 450, new HandlerLatency(20, 25, 9)),
                handled("concurrency/some/batchsqs-auto", 500, new HandlerLatency(30, 60, 15)),
                handled("concurrency/some/other", 250, null));

        assertThat(page("concurrency"))
                .contains("| batchsqs-10 | 450 | 0.90 | 20.0 | 1.00 | 0.200 |")
                .contains("| batchsqs-auto | 500 | 1.00 | 30.0 | 1.50 | 0.200 |")
                .contains("| other | 250 | 0.50 | – | – | 0.200 |");
    }

    @Test
    void theSearchHasTheFastestOfEachShape() throws IOException {
        write(
                pass("peer-search/some/slow", true, 10_000),
                pass("peer-search/some/fast", true, 20_000),
                pass("peer-search/other/only", true, 5_000));

        assertThat(page("peer-search"))
                .contains("| some | 2 | `fast` | 20,000 | 50.0 |", "| other | 1 | `only` | 5,000 | 200.0 |");
    }

    @Test
    void thePeersHaveNoDrains() throws IOException {
        write(pass("peers/drain-some/batchsqs", true, 10_000), pass("peers/trickle-1/batchsqs", true, 10_000));

        assertThat(page("peers")).contains("| trickle-1 | batchsqs |").doesNotContain("drain-some");
    }

    @Test
    void theTableOfTheWireShowsWhatIsThere() throws IOException {
        write(pass("wire/receive-list-some/batchsqs-200", true, 50_000));

        assertThat(page("wire")).contains("| receive-list-some | messages/s | – | 50,000 | – | – | – | – | – |");
    }

    @Test
    void readsResultsFromBeforeThePassesWereInterleaved() {
        Measurement read = Results.measurement(
                "{\"row\":\"wire/some/one\",\"warmUp\":null,\"rounds\":[],\"peakRssMiB\":300.0,\"load\":1.0}");

        assertThat(read).isEqualTo(new Measurement("wire/some/one", null, List.of(), 300, 1, null));
    }

    private String page(String suite) throws IOException {
        List<Row> rows = Results.read(Results.file(folder, suite)).measurements().stream()
                .map(Measurement::row)
                .distinct()
                .map(TablesTests::row)
                .toList();
        return Tables.section(suite, rows, folder, folder);
    }

    private static Row row(String name) {
        String label = name.substring(name.lastIndexOf('/') + 1);
        return new Row(name, label, "", 0, 0, WORK, Row.Contestant.of(NOTHING), false, false);
    }

    private void write(Measurement... measurements) throws IOException {
        Results results = new Results(Map.of("Java", "25"), "benchmarks/run", List.of(measurements));
        String suite = measurements[0].row().substring(0, measurements[0].row().indexOf('/'));
        results.write(Results.file(folder, suite));
    }

    private static Measurement handled(String row, double perSecond, @Nullable HandlerLatency handler) {
        Round round = new Round(1, 1, perSecond, 60, 1_000, 0.2, Map.of(), 0, 0, 0, 7, handler);
        return new Measurement(row, null, List.of(round), 300, 1, null);
    }

    private static Measurement pass(String row, boolean flat, double... perSecond) {
        List<Round> rounds = Arrays.stream(perSecond)
                .mapToObj(each -> new Round(1, 1, each, 1e6 / each, 1_000, 0.2, Map.of(), 0, 0, 0, 7, null))
                .toList();
        return new Measurement(row, new WarmUp(4, 10, flat), rounds, 300, 1, 0.003);
    }
}
