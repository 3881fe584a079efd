/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.batch;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The entries between two flushes; completes once each of them is delivered.
 *
 * <p>{@link #close()} and {@link #closed()} belong to the batcher's lock; any thread may call the other methods.
 */
final class FlushBarrier extends CompletableFuture<Void> {

    /** The number of its entries, plus 1 until it is closed. */
    private final AtomicInteger open = new AtomicInteger(1);

    private boolean closed;

    /** Adds an entry. */
    void register() {
        open.incrementAndGet();
    }

    /** Removes an entry that was delivered, or for which no flush waits any longer. */
    void arrive() {
        if (open.decrementAndGet() == 0) {
            complete(null);
        }
    }

    /** Admits no further entries: a flush waits for those that are registered. */
    void close() {
        closed = true;
        arrive();
    }

    /** Returns whether a flush came after its entries. */
    boolean closed() {
        return closed;
    }
}
