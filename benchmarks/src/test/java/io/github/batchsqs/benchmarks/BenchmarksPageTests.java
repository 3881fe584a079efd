/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchmarksPageTests {

    private static final Path RECORD = Path.of("../docs/benchmarks");

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    private Path folder;

    @Test
    void thePageOfRecordIsThatOfTheResults() throws IOException {
        BenchmarksPage.write(Path.of("results"), folder);

        assertThat(folder.resolve(BenchmarksPage.FILE))
                .as("benchmarks/run --report-only writes the page again")
                .content()
                .isEqualTo(Files.readString(RECORD.resolve(BenchmarksPage.FILE)));
    }

    @Test
    void theFolderHasThePageAndAtMostEightChartsThatItShows() throws IOException {
        BenchmarksPage.write(Path.of("results"), folder);

        assertThat(names(RECORD)).isEqualTo(names(folder)).hasSizeLessThanOrEqualTo(9);
        String page = Files.readString(RECORD.resolve(BenchmarksPage.FILE));
        assertThat(names(RECORD))
                .filteredOn(name -> name.endsWith(".svg"))
                .allSatisfy(chart -> assertThat(page).contains("](" + chart + ")"));
    }

    @Test
    void aSuiteWithoutResultsHasNoSection() throws IOException {
        BenchmarksPage.write(folder.resolve("missing"), folder);

        assertThat(folder.resolve(BenchmarksPage.FILE)).content().doesNotContain("\n## ");
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> Objects.toString(file.getFileName()))
                    .sorted()
                    .toList();
        }
    }
}
