/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.settings;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The settings of the template. What is {@code null} was not set.
 *
 * @param linger How long a message waits for others to fill its call of ten, 0 to 10s.
 * @param maxBatchBytes Most bytes of a call, and of a message, up to 1MB; bodies and attributes count.
 * @param bufferBytes Most bytes of messages that SQS has not yet accepted, over all queues.
 * @param maxBlock How long a send waits for room in the buffer.
 * @param maxInFlight Most calls at once per queue. Decides the rate: at 10ms per call, 20 are 20,000 messages per second at
 *     the very most.
 * @param deliveryTimeout How long a message may take from being buffered to being accepted, retries included; below 5m,
 *     SQS's deduplication window.
 * @param retry Delay before a failed message is sent again.
 * @param deduplication Where the deduplication ids of messages to FIFO queues come from, unless a message brings its own:
 *     content (a hash of group and payload), key (the value of deduplication-key) or queue (the queue's content-based
 *     deduplication). A DeduplicationIds bean overrides it.
 * @param deduplicationKey Spring expression that finds the business key of a message, for example payload.eventId; sees
 *     payload, groupId, queue and attributes. Only with deduplication=key.
 * @param transactional Whether messages that are sent within a Spring transaction go out at once (none) or when it has
 *     committed (after-commit). No outbox: a crash between the commit and SQS's answer loses them.
 * @param shutdownTimeout How long closing waits for messages that are buffered. Comes after the listeners' own timeout.
 */
public record SenderSettings(
        @Nullable Duration linger,
        @Nullable DataSize maxBatchBytes,
        @Nullable DataSize bufferBytes,
        @Nullable Duration maxBlock,
        @Nullable Integer maxInFlight,
        @Nullable Duration deliveryTimeout,
        @DefaultValue Retry retry,
        @Nullable Deduplication deduplication,
        @Nullable String deduplicationKey,
        @Nullable Transactional transactional,
        @Nullable Duration shutdownTimeout) {

    /** Where deduplication ids come from. */
    public enum Deduplication {
        /** A hash of group and payload. */
        CONTENT,
        /** A business key, by expression. */
        KEY,
        /** The queue, which must have content-based deduplication. */
        QUEUE
    }

    /** When messages go out that are sent within a transaction. */
    public enum Transactional {
        /** At once. */
        NONE,
        /** When the transaction of the sending thread has committed. */
        AFTER_COMMIT
    }

    /**
     * Delay before a failed message is sent again.
     *
     * @param initial Longest delay after the first failure.
     * @param multiplier How the longest delay grows with each failure, at least 1.
     * @param max Longest delay ever.
     * @param jitter Whether the delay is drawn evenly from 0 up to the longest; false makes it the longest itself.
     */
    public record Retry(
            @Nullable Duration initial,
            @Nullable Double multiplier,
            @Nullable Duration max,
            @Nullable Boolean jitter) {}
}
