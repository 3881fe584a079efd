/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import io.github.batchsqs.internal.client.SendEntry;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message that a transaction keeps back, for an {@link Outbox}. Its values are final: the body as the codec wrote it, the
 * deduplication id, and the payload in the body even if it will be stored outside of SQS.
 *
 * @param queue the queue's name, URL or ARN, as the message has it; it is looked up when the message is sent
 * @param fifo whether the queue is FIFO, as its name says, so that the order of its message groups counts
 * @param entry the values to store
 * @param deliverAt when to send it at the earliest; {@code null} for as soon as possible
 * @param future the future of the caller, which the outbox completes after the commit
 */
public record KeptMessage(
        String queue,
        boolean fifo,
        SendEntry entry,
        @Nullable Instant deliverAt,
        KeptFuture future) {}
