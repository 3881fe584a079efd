/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.batch;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** The entries between two flushes; completes when the promise of the last of them did. Safe for use by any thread. */
final class Epoch extends CompletableFuture<Void> {

    /** Its entries, and one more until it is closed. */
    private final AtomicInteger open = new AtomicInteger(1);

    void enter() {
        open.incrementAndGet();
    }

    void leave() {
        if (open.decrementAndGet() == 0) {
            complete(null);
        }
    }

    /** No entry enters any more. */
    void close() {
        leave();
    }
}
