/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs;

import java.util.function.Consumer;

/**
 * Handles batches of messages.
 *
 * <p>Called on a virtual thread of its own for each batch (or on the listener's executor), by up to {@code concurrency}
 * threads at once, and never twice at once for the same message. On a FIFO queue the batches of one message group come
 * one after the other. The thread is interrupted only when the shutdown timeout has passed.
 *
 * <p>The answer decides what becomes of each message: a {@link BatchOutcome}, a {@link PartialBatchException} (these
 * failed, the others are done) or any other exception (all of them are retried). A message is deleted only after its
 * outcome is {@code done}.
 *
 * @param <T> the payload type
 */
@FunctionalInterface
public interface BatchListener<T> {

    /** Handles the batch and says what became of each of its messages. */
    BatchOutcome onBatch(MessageBatch<T> batch) throws Exception;

    /** A listener for which returning means that every message is done. */
    static <T> BatchListener<T> of(Consumer<MessageBatch<T>> handler) {
        return batch -> {
            handler.accept(batch);
            return BatchOutcome.done();
        };
    }
}
