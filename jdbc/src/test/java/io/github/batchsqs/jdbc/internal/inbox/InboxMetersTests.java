/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.testkit.Dashboard;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class InboxMetersTests {

    @Test
    void theDashboardShowsEveryMeter() throws IOException {
        var registry = new SimpleMeterRegistry();
        var meters = new InboxMeters(registry);
        meters.of("orders", "orders").accept(1);
        meters.deleted(1);

        assertThat(Dashboard.asked("batchsqs_inbox"))
                .containsExactlyInAnyOrderElementsOf(Dashboard.registered(registry));
    }
}
