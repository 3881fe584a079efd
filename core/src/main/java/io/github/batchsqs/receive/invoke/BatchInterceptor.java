/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.invoke;

import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import org.jspecify.annotations.Nullable;

/** Runs around the handler, on its thread. Every method does nothing by default. */
public interface BatchInterceptor {

    /** Before the handler. Throwing fails the batch as if the handler had thrown; the handler does not run. */
    default void before(MessageBatch<?> batch) throws Exception {}

    /**
     * After the handler, also when it or a later interceptor failed. An exception is logged and changes no outcome.
     *
     * @param outcome what the handler returned, or {@code null} if it threw
     * @param failure what it threw, or {@code null}
     */
    default void after(MessageBatch<?> batch, @Nullable BatchOutcome outcome, @Nullable Throwable failure)
            throws Exception {}
}
