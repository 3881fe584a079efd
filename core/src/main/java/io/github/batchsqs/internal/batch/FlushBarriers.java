/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.batch;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The barrier of new entries, and those of earlier flushes that are not complete yet. Belongs to the batcher's lock. */
final class FlushBarriers {

    private final List<FlushBarrier> closed = new ArrayList<>();
    private FlushBarrier current = new FlushBarrier();

    /** Returns the barrier of entries that are added now. */
    FlushBarrier current() {
        return current;
    }

    /** Begins a new barrier, and returns those that a flush of all earlier entries waits for. */
    List<FlushBarrier> next() {
        current.close();
        closed.removeIf(CompletableFuture::isDone);
        closed.add(current);
        current = new FlushBarrier();
        return List.copyOf(closed);
    }
}
