/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.testkit.Dashboard;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutboxMetersTests {

    @Test
    void theDashboardShowsEveryMeter() throws IOException {
        var registry = new SimpleMeterRegistry();
        var meters = new OutboxMeters(registry);
        var row = new Candidate(1, new Destination("(default)", "orders"), null, 1, null, false);
        meters.stored(1);
        meters.count("sent", List.of(row, row));
        meters.count("retries", List.of(row));
        meters.count("refused", List.of(row));

        assertThat(registry.get("batchsqs.outbox.sent").counter().count()).isEqualTo(2);
        assertThat(Dashboard.asked("batchsqs_outbox"))
                .containsExactlyInAnyOrderElementsOf(Dashboard.registered(registry));
    }
}
