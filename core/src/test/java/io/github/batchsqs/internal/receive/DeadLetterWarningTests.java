/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ListenerOptions.QueueNotFound;
import io.github.batchsqs.testkit.LogCapture;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The log warns of a queue without a dead-letter queue, but not in vain. */
@Execution(ExecutionMode.CONCURRENT)
class DeadLetterWarningTests extends ContainerFixture {

    @Test
    void aQueueThatTheListenerCreatesIsNoReasonForAWarning() {
        try (LogCapture log = LogCapture.warnings()) {
            EngineContainer container = started(collect, options -> options.queueNotFound(QueueNotFound.CREATE));
            assertThat(container.state()).isNotNull();
            assertThat(log.events()).isEmpty();
        }
    }

    @Test
    void aQueueOnAServerOfThisMachineIsForDevelopment() {
        ListenerOptions options = options(UnaryOperator.identity());
        assertThat(QueueLookup.isForDevelopment(
                        options, new Queue("orders", "http://localhost:9324/000000000000/orders")))
                .isTrue();
        assertThat(QueueLookup.isForDevelopment(
                        options, new Queue("orders", "https://sqs.eu-central-1.amazonaws.com/123456789012/orders")))
                .isFalse();
    }

    private static ListenerOptions options(UnaryOperator<ListenerOptions.Builder> changes) {
        return changes.apply(ListenerOptions.builder("orders-listener", "orders"))
                .build();
    }
}
