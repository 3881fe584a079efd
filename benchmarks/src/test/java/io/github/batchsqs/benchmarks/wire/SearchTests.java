/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.benchmarks.run.Row;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SearchTests {

    private static final List<Row> ALL = Wire.rows();
    private static final List<Row> WIRE =
            ALL.stream().filter(row -> row.name().startsWith("wire/")).toList();
    private static final Map<String, Double> FOUND = Map.of(
            "peer-search/send-burst/sdk-batch-manager-crt", 30_000.0,
            "peer-search/send-burst/sdk-batch-manager-netty", 10_000.0,
            "peer-search/send-burst/spring-template-async-netty", 20_000.0);

    @Test
    void theTwoBestOfWhatWasMeasuredStay() {
        assertThat(labels("wire/send-burst", FOUND))
                .containsExactly(
                        "bare-client-200",
                        "batchsqs",
                        "batchsqs-200",
                        "batchsqs-200-meters",
                        "sdk-batch-manager-crt",
                        "spring-template-async-netty");
    }

    @Test
    void theSameStayOverTls() {
        assertThat(labels("wire/send-burst-tls", FOUND))
                .containsExactly(
                        "bare-client-200",
                        "batchsqs",
                        "batchsqs-200",
                        "batchsqs-200-meters",
                        "sdk-batch-manager-crt",
                        "spring-template-async-netty");
    }

    @Test
    void theFirstTwoStayWhereNothingWasMeasured() {
        assertThat(labels("wire/receive-list-fifo", FOUND))
                .containsExactly(
                        "bare-client-400",
                        "batchsqs",
                        "batchsqs-200",
                        "batchsqs-200-meters",
                        "spring",
                        "spring-2000-fixed-virtual-crt-ack-default",
                        "spring-2000-fixed-virtual-crt-ack-immediate-ordered");
    }

    @Test
    void namesTheBestOfEachShapeThatWasMeasured() {
        assertThat(Search.describe(ALL, FOUND).lines())
                .containsExactly(
                        "send-burst: sdk-batch-manager-crt 30,000 messages/s",
                        "send-burst: spring-template-async-netty 20,000 messages/s");
    }

    private static List<String> labels(String scenario, Map<String, Double> found) {
        return Search.narrow(WIRE, ALL, found).stream()
                .filter(row -> row.scenario().equals(scenario))
                .map(Row::label)
                .toList();
    }
}
