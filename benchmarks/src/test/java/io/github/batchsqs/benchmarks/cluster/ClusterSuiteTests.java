/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Whether a row shows anything. */
class ClusterSuiteTests {

    private static final List<String> ONE = List.of("B 10 a null 0 0", "E 20 a");
    private static final List<String> AGAIN = List.of("B 30 a null 0 0", "E 40 a");

    @Test
    void aFaultThatInterruptedNoMessageShowsNothing() {
        assertThat(showsNothing("fault/kill", verdict(ONE, List.of()))).isTrue();
        assertThat(showsNothing("fault/kill", verdict(ONE, AGAIN))).isFalse();
    }

    @Test
    void anInstanceThatCameAndRanNothingShowsNothing() {
        Map<String, List<String>> ledgers = new TreeMap<>();
        for (int i = 0; i < ClusterRows.ALL; i++) {
            ledgers.put(Integer.toString(i), List.of("B 10 " + i + " null 0 0", "E 20 " + i));
        }

        assertThat(showsNothing("fault/scale", new Verdict(ledgers, null))).isFalse();
        ledgers.put("7", List.of());
        assertThat(showsNothing("fault/scale", new Verdict(ledgers, null))).isTrue();
    }

    @Test
    void aQuotaOfCallsThatNoCallExceededShowsNothing() {
        assertThat(showsNothing("quota/fifo", verdict(ONE, List.of()), "{\"throttled\":0}"))
                .isTrue();
        assertThat(showsNothing("quota/fifo", verdict(ONE, List.of()), "{\"throttled\":1}"))
                .isFalse();
    }

    @Test
    void aQuotaOfMessagesInFlightThatWasNotReachedShowsNothing() {
        assertThat(showsNothing("quota/in-flight", verdict(ONE, List.of()), "{\"mostInFlight\":199}"))
                .isTrue();
        assertThat(showsNothing("quota/in-flight", verdict(ONE, List.of()), "{\"mostInFlight\":200}"))
                .isFalse();
    }

    private static Verdict verdict(List<String> first, List<String> second) {
        return new Verdict(Map.of("0", first, "1", second), null);
    }

    private static boolean showsNothing(String row, Verdict verdict) {
        return showsNothing(row, verdict, "{}");
    }

    private static boolean showsNothing(String row, Verdict verdict, String stats) {
        ClusterRow chosen = ClusterRows.all().stream()
                .filter(each -> each.name().equals(row))
                .findFirst()
                .orElseThrow();
        JsonNode json = JsonMapper.shared().readTree(stats);
        return ClusterSuite.showsNothing(chosen, verdict, json);
    }
}
