/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterRowsTests {

    private final List<ClusterRow> rows = ClusterRows.all();

    @Test
    void noTwoRowsHaveTheSameName() {
        assertThat(rows).extracting(ClusterRow::name).doesNotHaveDuplicates();
    }

    /** 1,200 calls of ten messages at 100 a second, of which 100 are permitted at once. */
    @Test
    void theQuotaOfTheFifoRowsPermitsNothingFaster() {
        assertThat(rows)
                .filteredOn(row -> row.name().equals("quota/fifo") || row.name().equals("quota/fifo-high-throughput"))
                .hasSize(2)
                .allSatisfy(row -> {
                    assertThat(row.listener()).isEqualTo(ClusterRow.FIFO_AHEAD);
                    assertThat(row.idealSeconds()).isEqualTo(11);
                });
    }

    @Test
    void onlyTheFaultyInstanceOfItsRowMayRepeatMessages() {
        assertThat(rows)
                .filteredOn(row -> row.faulty() >= 0)
                .extracting(ClusterRow::name)
                .allMatch(name -> name.startsWith("fault/kill") || name.startsWith("fault/hang"));
    }

    @Test
    void theInstanceWithAWrongClockHasToWork() {
        assertThat(rows).filteredOn(row -> row.name().startsWith("fault/clock")).allMatch(row -> row.watched() == 0);
    }
}
