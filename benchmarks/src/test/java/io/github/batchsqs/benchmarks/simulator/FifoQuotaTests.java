/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Time is a parameter here. */
class FifoQuotaTests {

    private static final Quotas QUOTAS = new Quotas(120_000, 300, 2, 0);
    private static final List<String> TEN = Collections.nCopies(10, "group");

    private final FifoQuota quota = new FifoQuota();

    @Test
    void aQueuePermitsThreeHundredCallsOfEachActionPerSecond() {
        assertThat(calls("receive", List.of(), true, false, 0)).isEqualTo(300);
        assertThat(calls("delete", TEN, true, false, 0)).isEqualTo(300);
        assertThat(calls("receive", List.of(), true, false, 100)).isEqualTo(30);
        assertThat(calls("receive", List.of(), true, false, 60_000)).isEqualTo(300);
    }

    @Test
    void withHighThroughputEachPartitionPermitsThreeThousandMessagesInBatches() {
        assertThat(calls("send", TEN, true, true, 0)).isEqualTo(300);
        assertThat(calls("send", List.of("b"), true, true, 0)).isEqualTo(3_000);
    }

    @Test
    void withHighThroughputEachPartitionPermitsThreeHundredSingleMessages() {
        assertThat(calls("send", List.of("group"), false, true, 0)).isEqualTo(300);
    }

    @Test
    void withHighThroughputReceivesHaveTheQuotaOfAllPartitions() {
        assertThat(calls("receive", List.of(), true, true, 0)).isEqualTo(600);
    }

    @Test
    void withoutAQuotaThereIsNoLimit() {
        assertThat(IntStream.range(0, 10_000))
                .allMatch(i -> quota.permits("receive", List.of(), true, false, Quotas.USUAL, 0));
    }

    private long calls(String action, List<String> groups, boolean batch, boolean highThroughput, long now) {
        return IntStream.range(0, 10_000)
                .takeWhile(i -> quota.permits(action, groups, batch, highThroughput, QUOTAS, now))
                .count();
    }
}
