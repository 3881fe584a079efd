/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.listener;

import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import org.jspecify.annotations.Nullable;

/** Runs before and after the handler, on the thread of the invocation. Every method does nothing by default. */
public interface BatchInterceptor {

    /**
     * Runs before the handler. An exception fails the batch like an exception of the handler, and the handler does not run.
     *
     * @param batch the messages that the handler receives
     * @throws Exception if the batch fails
     */
    default void before(MessageBatch<?> batch) throws Exception {}

    /**
     * Runs after the handler. This method also runs if the handler failed, or if {@link #before} of this or a later
     * interceptor failed. It also runs if the handler did not start: while interceptors ran, a stop returned messages of the
     * batch to the queue, or on a FIFO queue a lease was lost, or the delete of a message ahead of them was given up. An
     * exception of this method has no effect: the first is logged with its stack trace, and further ones are counted once a
     * minute.
     *
     * @param batch the messages that the handler received, or would have received
     * @param outcome the outcome that the handler returned, or {@code null} if the handler threw or did not start
     * @param failure the exception of the handler or of an interceptor before it, or {@code null}; a {@link
     *     java.util.concurrent.CancellationException} if the handler did not start for one of the reasons above
     * @throws Exception without an effect on the batch
     */
    default void after(MessageBatch<?> batch, @Nullable BatchOutcome outcome, @Nullable Throwable failure)
            throws Exception {}
}
