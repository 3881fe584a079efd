/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.client.QueueAttributes;
import io.github.batchsqs.client.QueueAttributes.RedrivePolicy;
import io.github.batchsqs.receive.ListenerOptions.Acknowledge;
import io.github.batchsqs.receive.ListenerOptions.AcknowledgeMode;
import io.github.batchsqs.receive.ListenerOptions.Failure;
import io.github.batchsqs.receive.ListenerOptions.FifoGrouping;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class UnwiseOptionsTests {

    private static final QueueAttributes WITH_DEAD_LETTERS =
            new QueueAttributes(Duration.ofSeconds(30), new RedrivePolicy("orders-dlq", 3));
    private static final QueueAttributes WITHOUT = new QueueAttributes(Duration.ofSeconds(30), null);

    @Test
    void theDefaultsAreWise() {
        assertThat(find(options -> options, false, WITH_DEAD_LETTERS)).isEmpty();
        assertThat(find(options -> options, true, WITH_DEAD_LETTERS)).isEmpty();
    }

    @Test
    void aQueueWithoutADeadLetterQueueIsNot() {
        assertThat(find(options -> options, false, WITHOUT))
                .singleElement()
                .asString()
                .contains("no dead-letter queue", "give the queue a redrive policy");
        assertThat(find(options -> options.failure(failure(false, "parking")), false, WITHOUT))
                .isEmpty();
        assertThat(find(options -> options.failure(failure(false, Failure.NO_DEAD_LETTER)), false, WITHOUT))
                .isEmpty();
    }

    @Test
    void aLingerOfAVisibilityTimeoutIsNot() {
        assertThat(find(options -> options.batchLinger(Duration.ofSeconds(29)), false, WITH_DEAD_LETTERS))
                .isEmpty();
        assertThat(find(options -> options.batchLinger(Duration.ofSeconds(30)), false, WITH_DEAD_LETTERS))
                .singleElement()
                .asString()
                .contains("visibility timeout (PT30S) is not above batch-linger (PT30S)");
    }

    @Test
    void isolatingBatchesOfManyGroupsIsNot() {
        UnaryOperator<ListenerOptions.Builder> mixed =
                options -> options.fifoGrouping(FifoGrouping.MIXED).failure(failure(true, Failure.REDRIVE_POLICY));
        assertThat(find(mixed, true, WITH_DEAD_LETTERS))
                .singleElement()
                .asString()
                .contains("mixed");
        assertThat(find(mixed, false, WITH_DEAD_LETTERS)).isEmpty();
    }

    @Test
    void isolatingWhatIsSettledByHandIsNot() {
        var byHand = new Acknowledge(AcknowledgeMode.MANUAL, Duration.ZERO, 1);
        assertThat(find(
                        options -> options.acknowledge(byHand).failure(failure(true, Failure.REDRIVE_POLICY)),
                        false,
                        WITH_DEAD_LETTERS))
                .singleElement()
                .asString()
                .contains("failure.isolate has no effect");
    }

    @Test
    void morePollersThanCanBeFedAreNot() {
        assertThat(find(
                        options ->
                                options.concurrency(2).batchSize(10).prefetch(5).pollers(3, 8),
                        false,
                        WITH_DEAD_LETTERS))
                .isEmpty();
        assertThat(find(
                        options ->
                                options.concurrency(2).batchSize(10).prefetch(5).pollers(4, 8),
                        false,
                        WITH_DEAD_LETTERS))
                .singleElement()
                .asString()
                .contains("pollers.min is 4", "at most 25 messages", "enough for 3");
    }

    private static Failure failure(boolean isolate, String deadLetter) {
        var defaults = ListenerOptions.builder("orders", "orders").build().failure();
        return new Failure(defaults.backoff(), isolate, defaults.nonRetryable(), deadLetter);
    }

    private static List<String> find(
            UnaryOperator<ListenerOptions.Builder> change, boolean fifo, QueueAttributes attributes) {
        var options = change.apply(ListenerOptions.builder("orders", "orders")).build();
        return UnwiseOptions.find(options, attributes.visibilityTimeout(), fifo, attributes);
    }
}
