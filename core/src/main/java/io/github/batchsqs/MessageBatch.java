/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs;

import java.util.Iterator;
import java.util.List;
import java.util.Objects;

/**
 * The messages of one invocation, in the order in which SQS delivered them. Immutable; never empty.
 *
 * @param <T> the payload type
 */
public final class MessageBatch<T> implements Iterable<SqsMessage<T>> {

    private final String queue;
    private final List<SqsMessage<T>> messages;
    private final Acknowledgement acknowledgement;

    /**
     * Used by the engine, and by tests of handlers.
     *
     * @throws IllegalArgumentException if there are no messages
     */
    public MessageBatch(String queue, List<SqsMessage<T>> messages, Acknowledgement acknowledgement) {
        if (messages.isEmpty()) {
            throw new IllegalArgumentException("A batch holds at least one message");
        }
        this.queue = Objects.requireNonNull(queue, "queue");
        this.messages = List.copyOf(messages);
        this.acknowledgement = Objects.requireNonNull(acknowledgement, "acknowledgement");
    }

    /** The name of the queue that the messages were received from. */
    public String queue() {
        return queue;
    }

    /** The messages. */
    public List<SqsMessage<T>> messages() {
        return messages;
    }

    /** The converted bodies, in the order of {@link #messages()}. */
    public List<T> payloads() {
        return messages.stream().map(SqsMessage::payload).toList();
    }

    /** How many messages there are; at least 1. */
    public int size() {
        return messages.size();
    }

    /** To settle messages by hand, see {@link Acknowledgement}. */
    public Acknowledgement acknowledgement() {
        return acknowledgement;
    }

    @Override
    public Iterator<SqsMessage<T>> iterator() {
        return messages.iterator();
    }
}
