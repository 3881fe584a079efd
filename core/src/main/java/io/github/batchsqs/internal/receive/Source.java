/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueAttributes;
import io.github.batchsqs.internal.receive.settle.InProcessRetries;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where a run gets its messages from, as {@link QueueLookup} found it at start.
 *
 * @param queue the queue
 * @param attributes its attributes
 * @param lease the visibility timeout of a receive
 * @param deadLetterQueue the target of messages that must never be handled, or {@code null}
 * @param retries when a failed FIFO message is tried again here, or {@code null} if it always returns to the queue
 */
record Source(
        Queue queue,
        QueueAttributes attributes,
        Duration lease,
        @Nullable Queue deadLetterQueue,
        @Nullable InProcessRetries retries) {}
