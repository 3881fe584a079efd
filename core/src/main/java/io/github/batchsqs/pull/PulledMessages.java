/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.pull;

import java.util.AbstractList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * The messages of one receive, in the order in which SQS delivered them: an unmodifiable list, empty if there were none.
 *
 * @param <T> the payload type
 */
public final class PulledMessages<T> extends AbstractList<PulledMessage<T>> {

    private final List<PulledMessage<T>> messages;

    /**
     * Creates the list. Only the template and tests need this constructor.
     *
     * @param messages the messages in the order of their delivery
     */
    public PulledMessages(List<? extends PulledMessage<T>> messages) {
        this.messages = List.copyOf(messages);
    }

    @Override
    public PulledMessage<T> get(int index) {
        return messages.get(index);
    }

    @Override
    public int size() {
        return messages.size();
    }

    /**
     * {@return the payloads, in the order of the messages}
     *
     * @throws io.github.batchsqs.codec.ConversionException if one cannot be read
     */
    public List<T> payloads() {
        return messages.stream().map(PulledMessage::payload).toList();
    }

    /**
     * Deletes all messages, in calls of ten; see {@link PulledMessage#acknowledge()}.
     *
     * @return a future that completes when SQS has accepted all deletes; fails if it did not accept one
     */
    public CompletableFuture<Void> acknowledge() {
        return all(messages, message -> message.acknowledge());
    }

    /**
     * Returns all messages to the queue, which delivers them again at once; see {@link PulledMessage#release()}. The last goes
     * first, so that the messages of a FIFO group become visible in order.
     *
     * @return a future that completes when SQS has accepted all changes; fails if it did not accept one
     */
    public CompletableFuture<Void> release() {
        return all(messages.reversed(), message -> message.release());
    }

    private static <T> CompletableFuture<Void> all(
            List<PulledMessage<T>> some, Function<PulledMessage<T>, CompletableFuture<Void>> settlement) {
        return CompletableFuture.allOf(some.stream().map(settlement).toArray(CompletableFuture<?>[]::new));
    }
}
