/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client;

import org.jspecify.annotations.Nullable;

/**
 * What SQS answered for an accepted entry of a send.
 *
 * @param messageId the id it gave the message
 * @param sequenceNumber the place within its FIFO queue
 */
public record SentMessage(String messageId, @Nullable String sequenceNumber) {}
