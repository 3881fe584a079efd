/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.pull;

import java.util.AbstractList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The messages of one receive, at most ten, in the order in which SQS delivered them: an unmodifiable list, empty if there were none.
 *
 * @param <T> the payload type
 */
public final class PulledMessages<T> extends AbstractList<PulledMessage<T>> {

    private final List<PulledMessage<T>> messages;
    private final Supplier<CompletableFuture<Void>> acknowledge;
    private final Supplier<CompletableFuture<Void>> release;

    /**
     * Creates the list. Only the template and tests need this constructor.
     *
     * @param messages the messages in the order of their delivery
     * @param acknowledge deletes all messages
     * @param release returns all messages to the queue
     */
    public PulledMessages(
            List<? extends PulledMessage<T>> messages,
            Supplier<CompletableFuture<Void>> acknowledge,
            Supplier<CompletableFuture<Void>> release) {
        this.messages = List.copyOf(messages);
        this.acknowledge = acknowledge;
        this.release = release;
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
     * Deletes all messages with one call; see {@link PulledMessage#acknowledge()}.
     *
     * @return a future that completes when SQS has accepted all deletes; fails if it did not accept one, and then all messages can
     *     be settled again
     */
    public CompletableFuture<Void> acknowledge() {
        return acknowledge.get();
    }

    /**
     * Returns all messages to the queue with one call, and SQS delivers them again at once; see {@link PulledMessage#release()}. The
     * last goes first, so that the messages of a FIFO group become visible in order.
     *
     * @return a future that completes when SQS has accepted all changes; fails if it did not accept one, and then all messages can
     *     be settled again
     */
    public CompletableFuture<Void> release() {
        return release.get();
    }
}
