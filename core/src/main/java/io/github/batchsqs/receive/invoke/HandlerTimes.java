/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.invoke;

import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import org.jspecify.annotations.Nullable;

/**
 * Measures the calls of the handler. Called on the invocation's thread, around the handler and without its interceptors; must
 * not throw.
 */
public interface HandlerTimes {

    /** Measures nothing. */
    HandlerTimes NONE = new HandlerTimes() {
        @Override
        public long started() {
            return 0;
        }

        @Override
        public void returned(MessageBatch<?> batch, long startedAt, BatchOutcome outcome) {}

        @Override
        public void ended(int messages, long startedAt, @Nullable Throwable failure) {}
    };

    /** The handler is called. Returns what {@link #ended} gets. */
    long started();

    /**
     * The handler has returned; {@link #ended} follows.
     *
     * @param startedAt what {@link #started} returned
     */
    void returned(MessageBatch<?> batch, long startedAt, BatchOutcome outcome);

    /**
     * The handler has returned or thrown.
     *
     * @param messages how many messages it got
     * @param startedAt what {@link #started} returned
     * @param failure what it threw, or {@code null}
     */
    void ended(int messages, long startedAt, @Nullable Throwable failure);
}
