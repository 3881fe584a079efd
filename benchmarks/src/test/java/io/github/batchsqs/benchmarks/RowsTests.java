/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.benchmarks.report.Campaign.Effort;
import io.github.batchsqs.benchmarks.run.Row;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RowsTests {

    private static final List<String> SUITES = List.of("ladder", "peers", "wire");

    @Test
    void eachRowHasItsOwnName() {
        assertThat(Rows.all()).extracting(Row::name).doesNotHaveDuplicates();
    }

    @Test
    void theQuickFormTakesLessThanTenMinutes() {
        int buildAndStart = 60;
        List<Row> rows = SUITES.stream()
                .flatMap(suite -> Rows.select(suite, List.of(), true).stream())
                .toList();

        assertThat(buildAndStart + Effort.QUICK.seconds(rows)).isLessThan(600);
        assertThat(SUITES)
                .allSatisfy(
                        suite -> assertThat(Rows.select(suite, List.of(), true)).isNotEmpty());
    }

    @Test
    void theNameOfAShapeOverTlsEndsInTls() {
        assertThat(Rows.all())
                .allSatisfy(row -> assertThat(row.scenario().endsWith("-tls")).isEqualTo(row.tls()));
    }

    @Test
    void patternsChooseByTheEndsOfNames() {
        assertThat(Rows.select("wire", List.of("receive-list-*/bare*", "send-burst/batchsqs"), false))
                .extracting(Row::name)
                .containsExactlyElementsOf(Stream.of(
                                "receive-list-standard/bare-client-400",
                                "receive-list-fifo/bare-client-400",
                                "send-burst/batchsqs",
                                "receive-list-standard-tls/bare-client-400",
                                "receive-list-fifo-tls/bare-client-400")
                        .map(name -> "wire/" + name)
                        .toList());
    }
}
