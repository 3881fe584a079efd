/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.client;

import org.jspecify.annotations.Nullable;

/**
 * The response of SQS for an accepted entry of a send.
 *
 * @param messageId the id that SQS assigned to the message
 * @param sequenceNumber the place within its FIFO queue
 */
public record SentMessage(String messageId, @Nullable String sequenceNumber) {}
