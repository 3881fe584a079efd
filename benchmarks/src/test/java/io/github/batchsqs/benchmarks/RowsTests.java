/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.benchmarks.run.Row;
import io.github.batchsqs.benchmarks.wire.Search;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
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
        int rows = SUITES.stream().mapToInt(suite -> seconds(suite, true)).sum();

        assertThat(buildAndStart + rows).isLessThan(600);
        assertThat(SUITES)
                .allSatisfy(suite -> assertThat(select(suite, List.of(), true)).isNotEmpty());
    }

    @Test
    void theWireTakesHalfAnHourAndTheSearchALittleMore() {
        assertThat(seconds("wire", false)).isLessThan(30 * 60);
        assertThat(seconds("peer-search", false)).isLessThan(35 * 60);
    }

    @Test
    void theComparisonOfConcurrenciesTakesAQuarterOfAnHour() {
        assertThat(seconds("concurrency", false)).isLessThanOrEqualTo(15 * 60);
        assertThat(select("concurrency", List.of(), true)).isNotEmpty();
    }

    @Test
    void eachShapeOfTheWireHasTheBareClientOursAndAPeer() {
        Map<String, List<String>> labels = select("wire", List.of(), false).stream()
                .collect(Collectors.groupingBy(
                        Row::scenario, TreeMap::new, Collectors.mapping(Row::label, Collectors.toList())));

        assertThat(labels.keySet())
                .contains("wire/receive-list-fifo-tls", "wire/receive-single-fifo-tls")
                .hasSize(10);
        assertThat(labels)
                .allSatisfy((shape, contestants) -> assertThat(contestants)
                        .contains("batchsqs-200-meters")
                        .anyMatch(label -> label.startsWith("bare-client-"))
                        .anyMatch(label -> label.startsWith("spring-") || label.startsWith("sdk-")));
    }

    @Test
    void theDefaultsHaveBothLibrariesAtTheirDefaultsAndTuned() {
        assertThat(select("defaults", List.of(), false))
                .extracting(Row::name)
                .allMatch(name -> name.startsWith("defaults/receive-"))
                .filteredOn(name -> name.contains("-single-standard/"))
                .hasSize(4)
                .first()
                .isEqualTo("defaults/receive-single-standard/spring");
    }

    @Test
    void theNameOfAShapeOverTlsEndsInTls() {
        assertThat(Rows.all())
                .allSatisfy(row -> assertThat(row.scenario().endsWith("-tls")).isEqualTo(row.tls()));
    }

    @Test
    void patternsChooseByTheEndsOfNames() {
        assertThat(select("wire", List.of("receive-list-*/bare*", "send-burst/batchsqs-200"), false))
                .extracting(Row::name)
                .containsExactlyElementsOf(Stream.of(
                                "receive-list-standard/bare-client-400",
                                "receive-list-fifo/bare-client-400",
                                "send-burst/batchsqs-200",
                                "receive-list-standard-tls/bare-client-400",
                                "receive-list-fifo-tls/bare-client-400")
                        .map(name -> "wire/" + name)
                        .toList());
    }

    private static int seconds(String suite, boolean quick) {
        return RunCommand.usual(suite, quick).seconds(select(suite, List.of(), quick));
    }

    /** Without results of the search, which has the first configuration of each shape. */
    private static List<Row> select(String suite, List<String> patterns, boolean quick) {
        return Rows.select(Search.narrow(Rows.all(), Map.of()), suite, patterns, quick);
    }
}
