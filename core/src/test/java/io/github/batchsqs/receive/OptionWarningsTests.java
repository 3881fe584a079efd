/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.client.QueueAttributes;
import io.github.batchsqs.client.QueueAttributes.RedrivePolicy;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ListenerOptions.Acknowledge;
import io.github.batchsqs.listener.ListenerOptions.AcknowledgeMode;
import io.github.batchsqs.listener.ListenerOptions.Failure;
import io.github.batchsqs.listener.ListenerOptions.FifoGrouping;
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
    void prefetchOnAQueueThatDeadLettersAtTheFirstReceiveIsNot() {
        QueueAttributes once = new QueueAttributes(Duration.ofSeconds(30), new RedrivePolicy("orders-dlq", 1));
        assertThat(find(options -> options, false, once))
                .singleElement()
                .asString()
                .contains("maxReceiveCount 1", "prefetch: 0", "maxReceiveCount of at least 3");
        assertThat(find(options -> options.prefetch(20), false, once)).hasSize(1);
        assertThat(find(options -> options.prefetch(0), false, once)).isEmpty();
    }

    @Test
    void moreHeldMessagesThanHeartbeatsServeIsNot() {
        UnaryOperator<ListenerOptions.Builder> many =
                options -> options.concurrency(1_600).batchSize(100).prefetch(0);
        assertThat(find(many, false, WITH_DEAD_LETTERS))
                .singleElement()
                .asString()
                .contains("160000 messages", "32 calls", "170 ms", "28160");
        assertThat(find(options -> options.concurrency(200).batchSize(100).prefetch(0), false, WITH_DEAD_LETTERS))
                .isEmpty();
        assertThat(find(
                        options -> many.apply(options).visibility(new ListenerOptions.Visibility(null, Duration.ZERO)),
                        false,
                        WITH_DEAD_LETTERS))
                .isEmpty();
    }

    /** By default, the number of invocations and its maximum are nobody's mistake, whatever the batch size. */
    @Test
    void anAutomaticConcurrencyCountsAsItsMaximumIfThatWasSetAndElseAsItsFirstNumber() {
        UnaryOperator<ListenerOptions.Builder> automatic =
                options -> options.concurrency(ListenerOptions.AUTO_CONCURRENCY);
        assertThat(find(options -> automatic.apply(options).batchSize(500), false, WITH_DEAD_LETTERS))
                .isEmpty();
        assertThat(find(options -> automatic.apply(options).batchSize(2_000), false, WITH_DEAD_LETTERS))
                .singleElement()
                .asString()
                .contains("up to 32640 messages are in flight");
        assertThat(find(
                        options -> automatic.apply(options).batchSize(500).concurrencyMax(50),
                        false,
                        WITH_DEAD_LETTERS))
                .isEmpty();
        assertThat(find(
                        options -> automatic.apply(options).batchSize(500).concurrencyMax(100),
                        false,
                        WITH_DEAD_LETTERS))
                .singleElement()
                .asString()
                .contains("up to 50640 messages are in flight", "lower concurrency, batch-size");
    }

    @Test
    void messagesThatAnAutomaticPrefetchMayHoldCountAsHeld() {
        UnaryOperator<ListenerOptions.Builder> many =
                options -> options.concurrency(280).batchSize(100).pollers(1, 32);
        assertThat(find(options -> many.apply(options).prefetch(0), false, WITH_DEAD_LETTERS))
                .isEmpty();
        assertThat(find(
                        options -> many.apply(options).prefetch(ListenerOptions.AUTO_PREFETCH),
                        false,
                        WITH_DEAD_LETTERS))
                .singleElement()
                .asString()
                .contains("up to 28640 messages are in flight", "extend only 28160");
    }

    @Test
    void aLingerOfAVisibilityTimeoutIsNot() {
        assertThat(find(options -> options.batchLinger(Duration.ofSeconds(29)), false, WITH_DEAD_LETTERS))
                .isEmpty();
        assertThat(find(options -> options.batchLinger(Duration.ofSeconds(30)), false, WITH_DEAD_LETTERS))
                .singleElement()
                .asString()
                .contains("visibility timeout (30s) is not above batch-linger (30s)");
    }

    @Test
    void retryingBatchesOfManyGroupsIndividuallyIsNot() {
        UnaryOperator<ListenerOptions.Builder> mixed =
                options -> options.fifoGrouping(FifoGrouping.MIXED).failure(failure(true, Failure.REDRIVE_POLICY));
        assertThat(find(mixed, true, WITH_DEAD_LETTERS))
                .singleElement()
                .asString()
                .contains("mixed");
        assertThat(find(mixed, false, WITH_DEAD_LETTERS)).isEmpty();
    }

    @Test
    void retryingIndividuallyInManualModeIsNot() {
        var manual = new Acknowledge(AcknowledgeMode.MANUAL, Duration.ZERO);
        assertThat(find(
                        options -> options.acknowledge(manual).failure(failure(true, Failure.REDRIVE_POLICY)),
                        false,
                        WITH_DEAD_LETTERS))
                .singleElement()
                .asString()
                .contains("failure.retry-individually has no effect");
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

    @Test
    void shortPollsWithoutAnIntervalAreNot() {
        assertThat(find(options -> options.waitTime(Duration.ZERO), false, WITH_DEAD_LETTERS))
                .singleElement()
                .asString()
                .contains("wait-time is 0s, so an empty queue is polled again at once", "pollers.min-interval");
        var spaced = new ListenerOptions.Pollers(1, 1, Duration.ofMillis(100));
        assertThat(find(options -> options.waitTime(Duration.ZERO).pollers(spaced), false, WITH_DEAD_LETTERS))
                .isEmpty();
    }

    @Test
    void aShutdownTimeoutWithoutItsUnitIsNot() {
        assertThat(find(options -> options.shutdownTimeout(Duration.ofMillis(25)), false, WITH_DEAD_LETTERS))
                .singleElement()
                .asString()
                .contains("shutdown-timeout is 25ms", "a number without a unit is milliseconds");
        assertThat(find(options -> options.shutdownTimeout(Duration.ofSeconds(1)), false, WITH_DEAD_LETTERS))
                .isEmpty();
    }

    @Test
    void aMaxExtensionBelowTheVisibilityTimeoutIsNot() {
        assertThat(find(extendedFor(Duration.ofMillis(3_600)), false, WITH_DEAD_LETTERS))
                .singleElement()
                .asString()
                .contains("visibility.max-extension (3600ms) is below the visibility timeout (30s)", "without a unit");
        assertThat(find(extendedFor(Duration.ofSeconds(30)), false, WITH_DEAD_LETTERS))
                .isEmpty();
        assertThat(find(extendedFor(Duration.ZERO), false, WITH_DEAD_LETTERS)).isEmpty();
    }

    private static UnaryOperator<ListenerOptions.Builder> extendedFor(Duration maxExtension) {
        return options -> options.visibility(new Visibility(null, maxExtension));
    }

    private static Failure failure(boolean retryIndividually, String deadLetter) {
        var defaults = ListenerOptions.builder("orders", "orders").build().failure();
        return new Failure(defaults.backoff(), retryIndividually, defaults.nonRetryable(), deadLetter);
    }

    private static List<String> find(
            UnaryOperator<ListenerOptions.Builder> change, boolean fifo, QueueAttributes attributes) {
        var options = change.apply(ListenerOptions.builder("orders", "orders").concurrency(16))
                .build();
        return OptionWarnings.find(options, attributes.visibilityTimeout(), fifo, attributes);
    }
}
