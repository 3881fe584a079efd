/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.batch;

import java.util.concurrent.CompletableFuture;

/** The entries between two flushes; completes when the last of them is settled. Belongs to the {@link Batcher}'s lock. */
final class Epoch extends CompletableFuture<Void> {

    private int entries;
    private boolean closed;

    void enter() {
        entries++;
    }

    void leave() {
        entries--;
    }

    /** No entry enters any more. */
    void close() {
        closed = true;
    }

    boolean over() {
        return closed && entries == 0;
    }
}
