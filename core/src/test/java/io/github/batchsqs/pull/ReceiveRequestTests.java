/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.pull;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.batchsqs.errors.InvalidOptionException;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class ReceiveRequestTests {

    @Test
    void hasTheDefaultsOfALongPoll() {
        var request = ReceiveRequest.of("orders", String.class);

        assertThat(request.queue()).isEqualTo("orders");
        assertThat(request.payloadType()).isEqualTo(String.class);
        assertThat(request.maxMessages()).isEqualTo(10);
        assertThat(request.minMessages()).isEqualTo(1);
        assertThat(request.waitTime()).isEqualTo(Duration.ofSeconds(10));
        assertThat(request.visibilityTimeout()).isNull();
        assertThat(request.attemptId()).isNull();
    }

    @Test
    void keepsItsValuesInABuilder() {
        var request = ReceiveRequest.builder("orders", Integer.class)
                .maxMessages(100)
                .minMessages(20)
                .waitTime(Duration.ofMinutes(1))
                .visibilityTimeout(Duration.ofMinutes(2))
                .attemptId("a")
                .build();

        assertThat(request.toBuilder().build()).isEqualTo(request);
        assertThat(request.toBuilder().queue("other").build().queue()).isEqualTo("other");
    }

    @Test
    void namesTheRuleThatAValueBreaks() {
        assertRefused(each -> each.maxMessages(0), "max-messages must be between 1 and 120000, but is 0");
        assertRefused(
                each -> each.maxMessages(5).minMessages(6),
                "min-messages must be between 1 and max-messages (5), but is 6; lower it, or raise max-messages");
        assertRefused(each -> each.minMessages(0), "min-messages must be between 1 and max-messages (10), but is 0");
        assertRefused(each -> each.waitTime(Duration.ofHours(2)), "wait-time must be between 0s and 1h, but is 2h");
        assertRefused(
                each -> each.visibilityTimeout(Duration.ZERO),
                "visibility-timeout must be between 1s and 12h, but is 0s");
        assertRefused(each -> each.attemptId(""), "attempt-id must have 1 to 120 characters");
        assertRefused(each -> each.attemptId("x".repeat(121)), "attempt-id must have 1 to 120 characters");
    }

    private static void assertRefused(UnaryOperator<ReceiveRequest.Builder<String>> change, String message) {
        assertThatThrownBy(() -> change.apply(ReceiveRequest.builder("orders", String.class))
                        .build())
                .isInstanceOf(InvalidOptionException.class)
                .hasMessageContaining(message);
    }

    @Test
    void refusesAVisibilityTimeoutThatEndsDuringTheWaitForFurtherCalls() {
        var request = ReceiveRequest.builder("q", String.class)
                .waitTime(Duration.ofSeconds(20))
                .visibilityTimeout(Duration.ofSeconds(20));
        assertThat(request.build().visibilityTimeout()).isEqualTo(Duration.ofSeconds(20)); // one call brings all
        request.minMessages(2);
        assertThatThrownBy(request::build)
                .isInstanceOf(InvalidOptionException.class)
                .hasMessageStartingWith("visibility-timeout must be longer than wait-time (20s)")
                .hasMessageEndingWith("raise it, or lower wait-time");
        request.minMessages(1).maxMessages(11);
        assertThatThrownBy(request::build).isInstanceOf(InvalidOptionException.class);
        assertThatThrownBy(() -> request.waitTime(Duration.ofMillis(19_200))
                        .visibilityTimeout(Duration.ofMillis(19_500))
                        .build())
                .as("both are 20 s for SQS")
                .hasMessageStartingWith("visibility-timeout must be longer than wait-time");
        request.waitTime(Duration.ofSeconds(20));
        assertThat(request.visibilityTimeout(Duration.ofSeconds(21)).build().maxMessages())
                .isEqualTo(11);
    }
}
