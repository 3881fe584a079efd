/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.sqs;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of a queue; start from {@link #DEFAULT}.
 *
 * @param visibilityTimeout of receives that name none
 * @param delay of messages that name none
 * @param waitTime of receives that name none; for the caller, because the model does not wait
 * @param retention how long a message is kept after it was sent
 * @param redrive where a message goes that was received so often, or {@code null}
 * @param contentBasedDeduplication FIFO only: the hash of the body stands for a missing deduplication id
 * @param deduplicationPerGroup FIFO only: an id counts within its group, not within the queue
 * @param maximumMessageSize in bytes; a larger entry is refused alone
 * @param maxInFlight with so many messages in flight, nothing more is delivered
 * @param oldHandleDeletes standard queues only: whether a delete by the handle of an earlier receive deletes. SQS says that it may
 *     not; it responds with success in either case
 */
public record QueueSettings(
        Duration visibilityTimeout,
        Duration delay,
        Duration waitTime,
        Duration retention,
        @Nullable Redrive redrive,
        boolean contentBasedDeduplication,
        boolean deduplicationPerGroup,
        int maximumMessageSize,
        int maxInFlight,
        boolean oldHandleDeletes) {

    /** What SQS gives to a queue that is created without attributes. */
    public static final QueueSettings DEFAULT = new QueueSettings(
            Duration.ofSeconds(30),
            Duration.ZERO,
            Duration.ZERO,
            Duration.ofDays(4),
            null,
            false,
            false,
            1 << 20,
            120_000,
            false);

    static final Duration MAX_VISIBILITY = Duration.ofHours(12);
    static final Duration MAX_DELAY = Duration.ofMinutes(15);

    /** A redrive policy: at this receive count a further receive moves the message to the queue of this name, which must exist then. */
    public record Redrive(String deadLetterQueue, int maxReceiveCount) {}

    static boolean outside(Duration duration, Duration max) {
        return duration.isNegative() || duration.compareTo(max) > 0;
    }

    public QueueSettings withVisibilityTimeout(Duration timeout) {
        return new QueueSettings(
                timeout,
                delay,
                waitTime,
                retention,
                redrive,
                contentBasedDeduplication,
                deduplicationPerGroup,
                maximumMessageSize,
                maxInFlight,
                oldHandleDeletes);
    }

    public QueueSettings withDelay(Duration newDelay) {
        return new QueueSettings(
                visibilityTimeout,
                newDelay,
                waitTime,
                retention,
                redrive,
                contentBasedDeduplication,
                deduplicationPerGroup,
                maximumMessageSize,
                maxInFlight,
                oldHandleDeletes);
    }

    public QueueSettings withRetention(Duration newRetention) {
        return new QueueSettings(
                visibilityTimeout,
                delay,
                waitTime,
                newRetention,
                redrive,
                contentBasedDeduplication,
                deduplicationPerGroup,
                maximumMessageSize,
                maxInFlight,
                oldHandleDeletes);
    }

    public QueueSettings withRedrive(String deadLetterQueue, int maxReceiveCount) {
        return new QueueSettings(
                visibilityTimeout,
                delay,
                waitTime,
                retention,
                new Redrive(deadLetterQueue, maxReceiveCount),
                contentBasedDeduplication,
                deduplicationPerGroup,
                maximumMessageSize,
                maxInFlight,
                oldHandleDeletes);
    }

    public QueueSettings withContentBasedDeduplication() {
        return new QueueSettings(
                visibilityTimeout,
                delay,
                waitTime,
                retention,
                redrive,
                true,
                deduplicationPerGroup,
                maximumMessageSize,
                maxInFlight,
                oldHandleDeletes);
    }

    public QueueSettings withDeduplicationPerGroup() {
        return new QueueSettings(
                visibilityTimeout,
                delay,
                waitTime,
                retention,
                redrive,
                contentBasedDeduplication,
                true,
                maximumMessageSize,
                maxInFlight,
                oldHandleDeletes);
    }

    public QueueSettings withMaximumMessageSize(int bytes) {
        return new QueueSettings(
                visibilityTimeout,
                delay,
                waitTime,
                retention,
                redrive,
                contentBasedDeduplication,
                deduplicationPerGroup,
                bytes,
                maxInFlight,
                oldHandleDeletes);
    }

    public QueueSettings withMaxInFlight(int messages) {
        return new QueueSettings(
                visibilityTimeout,
                delay,
                waitTime,
                retention,
                redrive,
                contentBasedDeduplication,
                deduplicationPerGroup,
                maximumMessageSize,
                messages,
                oldHandleDeletes);
    }

    public QueueSettings withOldHandleDeletes() {
        return new QueueSettings(
                visibilityTimeout,
                delay,
                waitTime,
                retention,
                redrive,
                contentBasedDeduplication,
                deduplicationPerGroup,
                maximumMessageSize,
                maxInFlight,
                true);
    }
}
