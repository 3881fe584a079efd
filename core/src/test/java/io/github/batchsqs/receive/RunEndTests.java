/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.testkit.LogCapture;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RunEndTests {

    @Test
    void aWaitThatIsOverBeforeTheEndIsLoggedWithItsBoundAsSettingsSpellIt() {
        try (LogCapture log = LogCapture.warnings()) {
            new RunEnd("orders").await(Duration.ZERO);
            assertThat(log.events())
                    .singleElement()
                    .asString()
                    .contains("Listener orders: its stop has not ended after 0s; it goes on by itself");
        }
    }
}
