/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.client.QueueAttributes;
import io.github.batchsqs.client.QueueAttributes.RedrivePolicy;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ListenerOptions.Acknowledge;
import io.github.batchsqs.listener.ListenerOptions.AcknowledgeMode;
import io.github.batchsqs.listener.ListenerOptions.Failure;
import io.github.batchsqs.listener.ListenerOptions.Visibility;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class OptionWarningsTests {

    private static final QueueAttributes WITH_DEAD_LETTERS =
            new QueueAttributes(Duration.ofSeconds(30), new RedrivePolicy("orders-dlq", 3));
    private static final QueueAttributes WITHOUT = new QueueAttributes(Duration.ofSeconds(30), null);

    @Test
    void theDefaultsAreWise() {
        assertThat(find(options -> options, WITH_DEAD_LETTERS)).isEmpty();
    }

    @Test
    void aQueueWithoutADeadLetterQueueIsNot() {
        assertThat(find(options -> options, WITHOUT))
                .singleElement()
                .asString()
                .contains("no dead-letter queue", "give the queue a redrive policy");
        assertThat(find(options -> options.failure(failure(false, "parking")), WITHOUT))
                .isEmpty();
        assertThat(find(options -> options.failure(failure(false, Failure.NO_DEAD_LETTER)), WITHOUT))
                .isEmpty();
    }

    @Test
    void prefetchOnAQueueThatDeadLettersAtTheFirstReceiveIsNot() {
        QueueAttributes once = new QueueAttributes(Duration.ofSeconds(30), new RedrivePolicy("orders-dlq", 1));
        assertThat(find(options -> options, once))
                .singleElement()
                .asString()
                .contains("maxReceiveCount 1", "prefetch: 0", "maxReceiveCount of at least 3");
        assertThat(find(options -> options.prefetch(20), once)).hasSize(1);
        assertThat(find(options -> options.prefetch(0), once)).isEmpty();
    }

    @Test
    void aLingerOfAVisibilityTimeoutIsNot() {
        assertThat(find(options -> options.batchLinger(Duration.ofSeconds(29)), WITH_DEAD_LETTERS))
                .isEmpty();
        assertThat(find(options -> options.batchLinger(Duration.ofSeconds(30)), WITH_DEAD_LETTERS))
                .singleElement()
                .asString()
                .contains("visibility timeout (30s) is not above batch-linger (30s)");
    }

    @Test
    void retryingIndividuallyInManualModeIsNot() {
        var manual = new Acknowledge(AcknowledgeMode.MANUAL, Duration.ZERO);
        assertThat(find(
                        options -> options.acknowledge(manual).failure(failure(true, Failure.REDRIVE_POLICY)),
                        WITH_DEAD_LETTERS))
                .singleElement()
                .asString()
                .contains("failure.retry-individually has no effect");
    }

    @Test
    void shortPollsWithoutAnIntervalAreNot() {
        assertThat(find(options -> options.waitTime(Duration.ZERO), WITH_DEAD_LETTERS))
                .singleElement()
                .asString()
                .contains("wait-time is 0s, so an empty queue is polled again at once", "pollers.min-interval");
        var spaced = new ListenerOptions.Pollers(1, 1, Duration.ofMillis(100));
        assertThat(find(options -> options.waitTime(Duration.ZERO).pollers(spaced), WITH_DEAD_LETTERS))
                .isEmpty();
    }

    @Test
    void aShutdownTimeoutWithoutItsUnitIsNot() {
        assertThat(find(options -> options.shutdownTimeout(Duration.ofMillis(25)), WITH_DEAD_LETTERS))
                .singleElement()
                .asString()
                .contains("shutdown-timeout is 25ms", "a number without a unit is milliseconds");
        assertThat(find(options -> options.shutdownTimeout(Duration.ofSeconds(1)), WITH_DEAD_LETTERS))
                .isEmpty();
    }

    @Test
    void aMaxExtensionBelowTheVisibilityTimeoutIsNot() {
        assertThat(find(extendedFor(Duration.ofMillis(3_600)), WITH_DEAD_LETTERS))
                .singleElement()
                .asString()
                .contains("visibility.max-extension (3600ms) is below the visibility timeout (30s)", "without a unit");
        assertThat(find(extendedFor(Duration.ofSeconds(30)), WITH_DEAD_LETTERS)).isEmpty();
        assertThat(find(extendedFor(Duration.ZERO), WITH_DEAD_LETTERS)).isEmpty();
    }

    private static UnaryOperator<ListenerOptions.Builder> extendedFor(Duration maxExtension) {
        return options -> options.visibility(new Visibility(null, maxExtension));
    }

    private static Failure failure(boolean retryIndividually, String deadLetter) {
        var defaults = ListenerOptions.builder("orders", "orders").build().failure();
        return new Failure(defaults.backoff(), retryIndividually, defaults.nonRetryable(), deadLetter);
    }

    private static List<String> find(UnaryOperator<ListenerOptions.Builder> change, QueueAttributes attributes) {
        var options = change.apply(ListenerOptions.builder("orders", "orders").concurrency(16))
                .build();
        return OptionWarnings.find(options, attributes.visibilityTimeout(), attributes);
    }
}
