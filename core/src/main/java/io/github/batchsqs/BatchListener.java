/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs;

import java.util.function.Consumer;

/**
 * Handles batches of messages.
 *
 * <p>Each batch runs on a virtual thread of its own (or on the listener's executor); up to {@code concurrency} batches run at
 * once, and never two with the same message. On a FIFO queue the batches of one message group run one after another. The
 * thread is interrupted only after the shutdown timeout.
 *
 * <p>With {@code acknowledge.mode: on-success}, the default, the result decides the outcome of each message: a {@link
 * BatchOutcome}, a {@link PartialBatchException} (the named messages failed, the others are done) or any other exception (all
 * failed), and only messages with the outcome {@code done} are deleted. With {@code always}, every message is deleted when the
 * handler returns or throws. With {@code manual}, the handler settles messages through {@link Acknowledgement}; the listener
 * retries the failed messages that are not settled yet.
 *
 * @param <T> the payload type
 */
@FunctionalInterface
public interface BatchListener<T> {

    /**
     * Handles the batch. An exception fails the batch.
     *
     * @param batch the received messages, at least one
     * @return the outcome of each message
     * @throws Exception if the batch fails; a {@link PartialBatchException} names the messages that failed
     */
    BatchOutcome onBatch(MessageBatch<T> batch) throws Exception;

    /**
     * {@return a listener whose normal return means that every message is done}
     *
     * @param <T> the payload type
     * @param handler the code that handles a batch
     */
    static <T> BatchListener<T> of(Consumer<MessageBatch<T>> handler) {
        return batch -> {
            handler.accept(batch);
            return BatchOutcome.done();
        };
    }
}
