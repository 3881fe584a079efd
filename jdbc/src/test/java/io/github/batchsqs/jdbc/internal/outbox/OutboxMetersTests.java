/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.testkit.Dashboard;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class OutboxMetersTests {

    @Test
    void theDashboardShowsEveryMeter() throws IOException {
        var registry = new SimpleMeterRegistry();
        var meters = new OutboxMeters(registry);
        Destination orders = new Destination("(default)", "orders");
        meters.stored(1);
        meters.sent(orders);
        meters.retried(orders);
        meters.refused(orders);

        assertThat(Dashboard.asked("batchsqs_outbox"))
                .containsExactlyInAnyOrderElementsOf(Dashboard.registered(registry));
    }
}
