/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.benchmarks.report.Tables.Outcome;
import io.github.batchsqs.benchmarks.run.Row;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SearchTests {

    private static final List<Row> ALL = Wire.rows();
    private static final Map<String, Outcome> FOUND = Map.of(
            "peer-search/send-burst/sdk-batch-manager-crt", new Outcome(30_000, 20),
            "peer-search/send-burst/sdk-batch-manager-netty", new Outcome(10_000, 40),
            "peer-search/send-burst/spring-template-async-netty", new Outcome(20_000, 10),
            "peer-search/receive-single-standard/spring-2000-fixed-virtual-crt-ack-10ms", new Outcome(20_000, 10),
            "peer-search/receive-single-standard/spring-2000-fixed-virtual-crt-ack-100ms", new Outcome(10_000, 20));

    @Test
    void theFastestAndTheOneWithTheLeastCpuTimeStay() {
        assertThat(labels("wire/send-burst", FOUND))
                .containsExactly(
                        "bare-client-200",
                        "batchsqs-200",
                        "batchsqs-200-meters",
                        "batchsqs-200-sendall-meters",
                        "sdk-batch-manager-crt",
                        "spring-template-async-netty");
    }

    @Test
    void oneThatIsBestInBothStaysWithItsMeters() {
        assertThat(labels("wire/receive-single-standard", FOUND))
                .containsExactly(
                        "bare-client-400",
                        "batchsqs-200",
                        "batchsqs-200-meters",
                        "batchsqs-200-meters-tracer",
                        "spring-2000-fixed-virtual-crt-ack-10ms-meters",
                        "spring-2000-fixed-virtual-crt-ack-10ms");
    }

    @Test
    void theSameStayOverTls() {
        assertThat(labels("wire/send-burst-tls", FOUND))
                .containsExactly(
                        "bare-client-200",
                        "batchsqs-200-meters",
                        "batchsqs-200-sendall-meters",
                        "sdk-batch-manager-crt",
                        "spring-template-async-netty");
    }

    @Test
    void theFirstStaysWhereNothingWasMeasured() {
        assertThat(labels("wire/receive-list-fifo", FOUND))
                .containsExactly("bare-client-400", "batchsqs-200-meters", "spring-2000-fixed-virtual-crt-ack-default");
    }

    @Test
    void rowsOfOtherSuitesStay() {
        assertThat(Search.narrow(ALL, FOUND))
                .containsAll(ALL.stream()
                        .filter(row -> row.name().startsWith("peer-search/"))
                        .toList());
    }

    @Test
    void namesTheBestOfEachShapeThatWasMeasured() {
        assertThat(Search.describe(ALL, FOUND).lines())
                .containsExactly(
                        "receive-single-standard: spring-2000-fixed-virtual-crt-ack-10ms 20,000 messages/s,"
                                + " 10.0 µs of CPU time",
                        "send-burst: sdk-batch-manager-crt 30,000 messages/s, 20.0 µs of CPU time",
                        "send-burst: spring-template-async-netty 20,000 messages/s, 10.0 µs of CPU time");
    }

    private static List<String> labels(String scenario, Map<String, Outcome> found) {
        return Search.narrow(ALL, found).stream()
                .filter(row -> row.scenario().equals(scenario))
                .map(Row::label)
                .toList();
    }
}
