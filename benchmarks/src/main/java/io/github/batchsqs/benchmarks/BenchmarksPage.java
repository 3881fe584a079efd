/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks;

import io.github.batchsqs.benchmarks.cluster.ClusterPage;
import io.github.batchsqs.benchmarks.once.OncePage;
import io.github.batchsqs.benchmarks.reliability.ReliabilityPage;
import io.github.batchsqs.benchmarks.report.Tables;
import io.github.batchsqs.benchmarks.simulation.SimulationPage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** The page of all suites, made of their raw results: a section for each suite that has any. */
final class BenchmarksPage {

    static final String FILE = "README.md";

    private BenchmarksPage() {}

    /**
     * Writes the page and its charts.
     *
     * @param raw the folder of the raw results
     * @param folder where the page and the charts go
     */
    static void write(Path raw, Path folder) throws IOException {
        Path unused = Files.createDirectories(folder);
        StringBuilder page = new StringBuilder(head());
        for (String suite : Tables.suites()) {
            page.append(Tables.section(suite, Rows.all(), raw, folder));
        }
        page.append(ClusterPage.section(raw))
                .append(SimulationPage.section(raw))
                .append(OncePage.section(raw))
                .append(ReliabilityPage.section(raw));
        unused = Files.writeString(folder.resolve(FILE), page);
    }

    /** What holds for all suites: the method, the columns and the contestants. */
    private static String head() throws IOException {
        try (InputStream text = Objects.requireNonNull(BenchmarksPage.class.getResourceAsStream("page.md"))) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
