/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs;

import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;

/**
 * The messages of one invocation, in the order in which SQS delivered them. Immutable; never empty.
 *
 * @param <T> the payload type
 */
public final class MessageBatch<T> implements Iterable<SqsMessage<T>> {

    private final String queue;
    private final List<SqsMessage<T>> messages;
    private final Acknowledgement acknowledgement;
    private final BiFunction<List<SqsMessage<T>>, Duration, CompletableFuture<Void>> changeVisibility;

    /**
     * Creates a batch. Only the engine and tests of handlers need this constructor.
     *
     * @param queue the name of the queue
     * @param messages the messages in the order of their delivery, at least one
     * @param acknowledgement the manual acknowledgement of these messages
     * @throws IllegalArgumentException if there are no messages
     */
    public MessageBatch(String queue, List<SqsMessage<T>> messages, Acknowledgement acknowledgement) {
        this(queue, messages, acknowledgement, (some, timeout) -> {
            throw new UnsupportedOperationException(
                    "This batch was created without a visibility; give one to its constructor");
        });
    }

    /**
     * Creates a batch whose visibility can be changed. Only the engine and tests of handlers need this constructor.
     *
     * @param queue the name of the queue
     * @param messages the messages in the order of their delivery, at least one
     * @param acknowledgement the manual acknowledgement of these messages
     * @param changeVisibility changes the visibility of some of the messages, for {@link #visibility()}
     * @throws IllegalArgumentException if there are no messages
     */
    public MessageBatch(
            String queue,
            List<SqsMessage<T>> messages,
            Acknowledgement acknowledgement,
            BiFunction<List<SqsMessage<T>>, Duration, CompletableFuture<Void>> changeVisibility) {
        if (messages.isEmpty()) {
            throw new IllegalArgumentException("A batch must have at least one message, but has none");
        }
        this.queue = Objects.requireNonNull(queue, "queue");
        this.messages = List.copyOf(messages);
        this.acknowledgement = Objects.requireNonNull(acknowledgement, "acknowledgement");
        this.changeVisibility = Objects.requireNonNull(changeVisibility, "changeVisibility");
    }

    /** {@return the name of the queue that the messages were received from} */
    public String queue() {
        return queue;
    }

    /** {@return the messages, in the order in which SQS delivered them} */
    public List<SqsMessage<T>> messages() {
        return messages;
    }

    /** {@return the converted bodies, in the order of {@link #messages()}} */
    public List<T> payloads() {
        return messages.stream().map(SqsMessage::payload).toList();
    }

    /** {@return the number of messages; at least 1} */
    public int size() {
        return messages.size();
    }

    /** {@return the manual acknowledgement of these messages, see {@link Acknowledgement}} */
    public Acknowledgement acknowledgement() {
        return acknowledgement;
    }

    /** {@return what changes when these messages become visible again, see {@link Visibility}} */
    public Visibility visibility() {
        return new BatchVisibility<>(messages, changeVisibility);
    }

    @Override
    public Iterator<SqsMessage<T>> iterator() {
        return messages.iterator();
    }
}
