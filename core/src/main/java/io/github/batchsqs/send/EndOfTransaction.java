/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import io.github.batchsqs.events.SenderEvent;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * What the template does with the messages of a transaction in the end.
 *
 * @param buffer the room that they occupy
 * @param handOn passes messages to their sender
 */
record EndOfTransaction(SendBuffer buffer, BiConsumer<QueueSender, List<BufferedMessage>> handOn)
        implements BoundMessages.HandOn {

    @Override
    public void send(QueueSender sender, List<BufferedMessage> messages) {
        handOn.accept(sender, messages);
    }

    @Override
    public void abandon(QueueSender sender, BufferedMessage message) {
        buffer.release(message.occupied);
        sender.events().on(new SenderEvent.Refused(SendFailedException.NOT_COMMITTED));
        sender.fail(message, SendFailedException.notCommitted(message.message.queue(), false));
    }
}
