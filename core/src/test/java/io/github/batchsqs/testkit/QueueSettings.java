/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import io.github.batchsqs.client.QueueAttributes.RedrivePolicy;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a queue of an {@link InMemoryQueueClient} behaves; start from {@link #DEFAULT}.
 *
 * @param visibilityTimeout how long a received message stays hidden
 * @param delay how long a sent message stays hidden
 * @param redrive where a message goes after so many receives; the dead-letter queue must exist when the first one goes
 * @param contentBasedDeduplication FIFO only: the hash of the body stands in for a missing deduplication id
 * @param maximumMessageSize a larger entry is refused on its own
 * @param maxInFlight at so many messages in flight nothing more is delivered
 * @param oldHandleDeletes standard queues only: whether a delete with the handle of an earlier receive deletes although
 *     the message has been received again since; it answers success in either case
 */
public record QueueSettings(
        Duration visibilityTimeout,
        Duration delay,
        @Nullable RedrivePolicy redrive,
        boolean contentBasedDeduplication,
        int maximumMessageSize,
        int maxInFlight,
        boolean oldHandleDeletes) {

    /** What SQS gives a queue that was created without attributes. */
    public static final QueueSettings DEFAULT =
            new QueueSettings(Duration.ofSeconds(30), Duration.ZERO, null, false, 1 << 20, 120_000, false);

    public QueueSettings withVisibilityTimeout(Duration timeout) {
        return new QueueSettings(
                timeout, delay, redrive, contentBasedDeduplication, maximumMessageSize, maxInFlight, oldHandleDeletes);
    }

    public QueueSettings withDelay(Duration newDelay) {
        return new QueueSettings(
                visibilityTimeout,
                newDelay,
                redrive,
                contentBasedDeduplication,
                maximumMessageSize,
                maxInFlight,
                oldHandleDeletes);
    }

    public QueueSettings withRedrive(String deadLetterQueue, int maxReceiveCount) {
        return new QueueSettings(
                visibilityTimeout,
                delay,
                new RedrivePolicy(deadLetterQueue, maxReceiveCount),
                contentBasedDeduplication,
                maximumMessageSize,
                maxInFlight,
                oldHandleDeletes);
    }

    public QueueSettings withContentBasedDeduplication() {
        return new QueueSettings(
                visibilityTimeout, delay, redrive, true, maximumMessageSize, maxInFlight, oldHandleDeletes);
    }

    public QueueSettings withMaximumMessageSize(int bytes) {
        return new QueueSettings(
                visibilityTimeout, delay, redrive, contentBasedDeduplication, bytes, maxInFlight, oldHandleDeletes);
    }

    public QueueSettings withMaxInFlight(int messages) {
        return new QueueSettings(
                visibilityTimeout,
                delay,
                redrive,
                contentBasedDeduplication,
                maximumMessageSize,
                messages,
                oldHandleDeletes);
    }

    public QueueSettings withOldHandleDeletes() {
        return new QueueSettings(
                visibilityTimeout, delay, redrive, contentBasedDeduplication, maximumMessageSize, maxInFlight, true);
    }
}
