/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import io.github.batchsqs.internal.client.SendEntry;
import org.jspecify.annotations.Nullable;

/**
 * A message from an {@link Outbox}.
 *
 * @param queue the queue's name, URL or ARN
 * @param entry the values of {@link KeptMessage#entry()}
 * @param orderingKey equal for the messages of one group of a FIFO queue, which keep their order; {@code null} without an order
 */
public record StoredMessage(
        String queue, SendEntry entry, @Nullable String orderingKey) {}
