/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.pull;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.errors.InvalidOptionException;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class ReceiveRequestTests {

    @Test
    void namesTheRuleThatAValueBreaks() {
        assertRefused(each -> each.maxMessages(0), "max-messages must be between 1 and 10, but is 0");
        assertRefused(each -> each.maxMessages(11), "max-messages must be between 1 and 10, but is 11");
        assertRefused(
                each -> each.waitTime(Duration.ofSeconds(21)), "wait-time must be between 0s and 20s, but is 21s");
        assertRefused(
                each -> each.visibilityTimeout(Duration.ZERO),
                "visibility-timeout must be between 1s and 12h, but is 0s");
    }

    private static void assertRefused(UnaryOperator<ReceiveRequest<String>> change, String message) {
        assertThatThrownBy(() -> change.apply(ReceiveRequest.of("orders", String.class)))
                .isInstanceOf(InvalidOptionException.class)
                .hasMessageContaining(message);
    }
}
