/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.client.Queue;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class OptionWarningsTests {

    private static final QueueAttributes WITH_DEAD_LETTERS =
            new QueueAttributes(Duration.ofSeconds(30), new RedrivePolicy("orders-dlq", 3));
    private static final QueueAttributes WITHOUT = new QueueAttributes(Duration.ofSeconds(30), null);
    private static final QueueAttributes ONCE =
            new QueueAttributes(Duration.ofSeconds(30), new RedrivePolicy("orders-dlq", 1));

    @ParameterizedTest
    @MethodSource("unwise")
    void isFoundWithItsRemedy(UnaryOperator<ListenerOptions.Builder> unwise, QueueAttributes queue, String warning) {
        assertThat(find(unwise, queue)).singleElement().asString().contains(warning.split("…"));
    }

    static Stream<Arguments> unwise() {
        var manual = new Acknowledge(AcknowledgeMode.MANUAL, Duration.ZERO);
        return Stream.of(
                of(options -> options, WITHOUT, "no dead-letter queue…give the queue a redrive policy"),
                of(options -> options, ONCE, "maxReceiveCount 1…maxReceiveCount of at least 3…prefetch: 0"),
                of(options -> options.prefetch(20), ONCE, "maxReceiveCount 1"),
                of(
                        options -> options.batchLinger(Duration.ofSeconds(30)),
                        WITH_DEAD_LETTERS,
                        "visibility timeout (30s) is not above batch-linger (30s)"),
                of(
                        options -> options.acknowledge(manual).failure(failure(true, Failure.REDRIVE_POLICY)),
                        WITH_DEAD_LETTERS,
                        "failure.retry-individually has no effect"),
                of(
                        options -> options.waitTime(Duration.ZERO),
                        WITH_DEAD_LETTERS,
                        "wait-time is 0s, so an empty queue is polled again at once…pollers.min-interval"),
                of(
                        options -> options.shutdownTimeout(Duration.ofMillis(25)),
                        WITH_DEAD_LETTERS,
                        "shutdown-timeout is 25ms…set at least"),
                of(
                        extendedFor(Duration.ofMillis(3_600)),
                        WITH_DEAD_LETTERS,
                        "visibility.max-extension (3600ms) is below the visibility timeout (30s)…no lease is extended"));
    }

    private static Arguments of(UnaryOperator<ListenerOptions.Builder> options, QueueAttributes queue, String warning) {
        return Arguments.of(options, queue, warning);
    }

    @Test
    void nothingIsFoundAtTheLimits() {
        var spaced = new ListenerOptions.Pollers(1, 1, Duration.ofMillis(100));
        List<UnaryOperator<ListenerOptions.Builder>> wise = List.of(
                options -> options,
                options -> options.batchLinger(Duration.ofSeconds(29)),
                options -> options.waitTime(Duration.ZERO).pollers(spaced),
                options -> options.shutdownTimeout(Duration.ofSeconds(1)),
                extendedFor(Duration.ofSeconds(30)),
                extendedFor(Duration.ZERO));
        assertThat(wise)
                .allSatisfy(
                        options -> assertThat(find(options, WITH_DEAD_LETTERS)).isEmpty());
        assertThat(find(options -> options.failure(failure(false, "parking")), WITHOUT))
                .isEmpty();
        assertThat(find(options -> options.failure(failure(false, Failure.NO_DEAD_LETTER)), WITHOUT))
                .isEmpty();
        assertThat(find(options -> options.prefetch(0), ONCE)).isEmpty();
    }

    @Test
    void aQueueOnAServerOfThisMachineIsForDevelopment() {
        var options = ListenerOptions.builder("orders", "orders").build();
        assertThat(QueueLookup.isForDevelopment(
                        options, new Queue("orders", "http://localhost:9324/000000000000/orders")))
                .isTrue();
        assertThat(QueueLookup.isForDevelopment(
                        options, new Queue("orders", "https://sqs.eu-central-1.amazonaws.com/123456789012/orders")))
                .isFalse();
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
