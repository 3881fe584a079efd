/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import org.jspecify.annotations.Nullable;

/**
 * SQS accepted a message.
 *
 * <p>A message whose deduplication id was seen in the last five minutes is accepted too, and not delivered.
 *
 * @param queue the name of the queue
 * @param messageId the id that SQS gave it
 * @param sequenceNumber its place within a FIFO queue; {@code null} on a standard queue
 * @param deduplicationId the id that it was sent with; {@code null} on a standard queue, and where the queue makes it
 */
public record SendResult(
        String queue,
        String messageId,
        @Nullable String sequenceNumber,
        @Nullable String deduplicationId) {}
