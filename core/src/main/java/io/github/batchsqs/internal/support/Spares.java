/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Objects that are dear to make and used for a moment: a digest, a buffer. A thread takes one, uses it without waiting for
 * anything, and gives it back; what it does not give back is garbage. There are at most two to keep for each processor.
 *
 * <p>In place of a {@code ThreadLocal}, which would keep one for each virtual thread. Safe for use by any thread.
 */
public final class Spares<T> {

    private final Supplier<T> maker;
    private final AtomicReferenceArray<@Nullable T> places =
            new AtomicReferenceArray<>(2 * Runtime.getRuntime().availableProcessors());

    public Spares(Supplier<T> maker) {
        this.maker = maker;
    }

    /** Returns one that nobody else has. */
    public T take() {
        for (int i = 0; i < places.length(); i++) {
            if (places.getPlain(i) != null) {
                T spare = places.getAndSet(i, null);
                if (spare != null) {
                    return spare;
                }
            }
        }
        return maker.get();
    }

    /** Keeps one for the next {@link #take}, if there is a place for it. */
    public void giveBack(T spare) {
        for (int i = 0; i < places.length(); i++) {
            if (places.getPlain(i) == null && places.compareAndSet(i, null, spare)) {
                return;
            }
        }
    }
}
