/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import io.github.batchsqs.client.SendEntry;
import io.github.batchsqs.support.QueueIdentity;

/**
 * A message that a transaction keeps back, for an {@link Outbox}. Its values are final: the body as the codec wrote it, the
 * deduplication id, and the payload in the body even if it will be stored outside of SQS.
 *
 * @param queue the queue's name, URL or ARN, as the message has it
 * @param queueName the name of the queue
 * @param queueIdentity equal for all spellings of the queue, and for no other one: its region, its account and its name
 * @param fifo whether the queue is FIFO, so that the order of its message groups counts
 * @param entry the values to store
 * @param future the future of the caller, which the outbox completes after the commit
 */
public record KeptMessage(
        String queue, String queueName, String queueIdentity, boolean fifo, SendEntry entry, KeptFuture future) {

    static KeptMessage of(QueueSender sender, BufferedMessage message) {
        String queue = message.message.queue();
        return new KeptMessage(
                queue,
                sender.queue().name(),
                QueueIdentity.of(sender.queue().url()),
                sender.queue().fifo(),
                message.stored,
                new KeptFuture(queue, message.future));
    }
}
