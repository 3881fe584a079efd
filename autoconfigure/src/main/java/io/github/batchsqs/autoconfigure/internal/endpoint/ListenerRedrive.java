/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.endpoint;

import io.github.batchsqs.autoconfigure.internal.client.NamedClient;
import io.github.batchsqs.autoconfigure.internal.client.NamedClients;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.internal.receive.QueueLookup;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.receive.ListenerContainer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Redrives the dead-letter queue of a listener: the one of {@code failure.dead-letter}, otherwise the one that the redrive
 * policy of its queue names.
 *
 * <p>SQS does not know the source queue of messages that a listener itself sent to the dead-letter queue, so a task without
 * a destination would fail for them. Therefore the destination is the listener's queue if the dead-letter queue serves no
 * other queue; otherwise the caller must name one.
 */
record ListenerRedrive(NamedClients clients) {

    /** The destination that stands for the queue from which SQS moved each message. */
    static final String SOURCE = "source";

    private static final int MAX_PER_SECOND = 500;

    /** A task of SQS that moves the messages of a dead-letter queue. */
    record Started(String deadLetterQueue, String taskHandle) {}

    private NamedClient client(ListenerContainer container) {
        return clients.get(container.options().client());
    }

    Started start(ListenerContainer container, @Nullable String destination, @Nullable Integer messagesPerSecond)
            throws InterruptedException {
        if (messagesPerSecond != null) {
            Check.range("messagesPerSecond", messagesPerSecond, 1, MAX_PER_SECOND);
        }
        NamedClient client = client(container);
        Queue queue = client.resolver().resolve(container.options().queue());
        Queue deadLetterQueue = deadLetterQueue(container, queue);
        Queue target = destination(client, destination, queue, deadLetterQueue);
        return new Started(
                deadLetterQueue.name(), client.redrive().get().start(deadLetterQueue, target, messagesPerSecond));
    }

    private static @Nullable Queue destination(
            NamedClient client, @Nullable String asked, Queue queue, Queue deadLetterQueue)
            throws InterruptedException {
        if (asked != null) {
            return asked.equals(SOURCE) ? null : client.resolver().resolve(asked);
        }
        List<String> others = client.redrive().get().sources(deadLetterQueue).stream()
                .filter(each -> !each.equals(queue.name()))
                .toList();
        Check.that(
                others.isEmpty(),
                "destination",
                "must be set, because '" + deadLetterQueue.name() + "' is the dead-letter queue of other queues too ("
                        + String.join(", ", others) + ")",
                "missing",
                "name a queue, or set it to " + SOURCE + " for the queue from which SQS moved each message");
        return queue;
    }

    private Queue deadLetterQueue(ListenerContainer container, Queue queue) throws InterruptedException {
        QueueResolver resolver = client(container).resolver();
        ListenerOptions options = container.options();
        String name = QueueLookup.deadLetterQueue(options, resolver.attributes(queue));
        if (name == null) {
            throw new InvalidOptionException(
                    "failure.dead-letter of the listener '" + options.id() + "'",
                    "must name a queue, because its queue '" + queue.name() + "' has no redrive policy",
                    options.failure().deadLetter(),
                    "add a redrive policy to the queue");
        }
        return resolver.resolve(name);
    }
}
