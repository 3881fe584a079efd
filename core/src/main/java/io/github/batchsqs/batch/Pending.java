/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.batch;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One entry with its promise: the promise completes once, whatever happens to the entry.
 *
 * <p>The mutable fields belong to the {@link Batcher}'s lock until the entry is settled, then to the thread that completes
 * the promise.
 */
final class Pending<E, R> extends CompletableFuture<R> implements SettledEntry<E, R> {

    final E item;
    final long bytes;
    final @Nullable Object lane;
    final long deadline;
    final long offeredAt;
    final Epoch epoch;

    /** When it goes out even alone. */
    long dueAt;

    /** How many calls carried it. */
    int attempts;

    /** Why its last call failed. */
    @Nullable
    Throwable lastFailure;

    /** No call may carry it any more. */
    boolean settled;

    private @Nullable R value;
    private @Nullable Throwable failure;

    /** Its size is at least 1, so that a batch that took something has less room. */
    Pending(BatchEntry<E> entry, long now, Epoch epoch) {
        this.item = entry.item();
        this.bytes = Math.max(1, entry.bytes());
        this.lane = entry.lane();
        this.deadline = entry.deadline();
        this.offeredAt = now;
        this.dueAt = now;
        this.epoch = epoch;
    }

    boolean expired(long now) {
        return deadline - now <= 0;
    }

    void accepted(@Nullable R accepted) {
        settled = true;
        value = accepted;
    }

    void failed(Throwable cause) {
        settled = true;
        failure = cause;
    }

    @Override
    public E entry() {
        return item;
    }

    @Override
    public @Nullable R result() {
        return value;
    }

    @Override
    public @Nullable Throwable cause() {
        return failure;
    }

    /** Completes the promise; without any lock, because dependents run here. */
    @SuppressWarnings("NullAway") // CompletableFuture<Void> completes with null
    void deliver() {
        if (failure != null) {
            completeExceptionally(failure);
        } else {
            complete(value);
        }
    }
}
