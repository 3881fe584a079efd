/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.sqs;

import org.jspecify.annotations.Nullable;

/**
 * The response to a message that was accepted.
 *
 * @param sequenceNumber on FIFO queues, or {@code null}
 */
public record Sent(String messageId, @Nullable String sequenceNumber) {}
