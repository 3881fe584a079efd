/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.settings;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.unit.DataSize;

/**
 * Settings of the template. A component that is {@code null} is not set.
 *
 * @param linger How long a message waits for further messages to share a call of ten, 0s to 10s.
 * @param bufferBytes Maximum total size of the messages that SQS has not yet accepted, over all queues. If a sixteenth
 *     of the maximum heap is less than 32MB, it is the default.
 * @param maxBlock Maximum time that a send waits for the look-up of its queue and for space in the buffer together, 0s to
 *     1h. All sends of a transaction share it. sendAll waits up to this time for each queue and for the space of each
 *     message. A send never waits longer than delivery-timeout for a look-up.
 * @param deliveryTimeout Maximum time until SQS accepts a message, retries included, up to 4m50s. The limit is below
 *     the deduplication window of SQS, 5m.
 * @param deduplication Source of the deduplication ids of messages to FIFO queues: content (a hash of group and
 *     payload), or queue (content-based deduplication of the queue). The id of a message and a DeduplicationIds bean
 *     override it.
 * @param transactional When messages are sent within a Spring transaction: none (immediately), after-commit, or outbox.
 *     With after-commit, a crash after the commit loses messages that SQS has not yet accepted; outbox stores them with the
 *     transaction, and requires the module batchsqs-spring-boot-jdbc.
 * @param shutdownTimeout How long closing waits for buffered messages, after the listeners have stopped, 0s to 10m.
 * @param defaultQueue Name, URL or ARN of the queue of sendDefault, and of messages and receives to BatchSqsOperations.DEFAULT_QUEUE.
 * @param defaultAttributes Text attributes of each message that is sent, by name. A message that has an attribute of the name
 *     keeps its own.
 */
public record SenderSettings(
        @Nullable Duration linger,
        @Nullable DataSize bufferBytes,
        @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration maxBlock,
        @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration deliveryTimeout,
        @Nullable Deduplication deduplication,
        @Nullable Transactional transactional,
        @DurationUnit(ChronoUnit.SECONDS) @Nullable Duration shutdownTimeout,
        @Nullable String defaultQueue,
        @Nullable Map<String, String> defaultAttributes) {

    /** Source of deduplication ids. */
    public enum Deduplication {
        /** A hash of group and payload. */
        CONTENT,
        /** The queue, which must have content-based deduplication. */
        QUEUE
    }

    /** When messages of a transaction are sent. */
    public enum Transactional {
        /** Immediately. */
        NONE,
        /** After the transaction of the sending thread has committed. */
        AFTER_COMMIT,
        /** As after-commit, and stored in the database with the transaction until SQS has accepted them. */
        OUTBOX
    }
}
