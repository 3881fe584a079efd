/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.batch;

import io.github.batchsqs.internal.support.Words;
import org.jspecify.annotations.Nullable;

/**
 * One entry, from its add to its outcome.
 *
 * <p>The mutable fields belong to the {@link Batcher}'s lock until the entry is settled, then to the thread that delivers it.
 */
final class Pending<E, R> implements SettledEntry<E, R> {

    final E item;
    final long bytes;
    final @Nullable Object orderingKey;
    final FlushBarrier barrier;
    private final BatchCall<E, R> call;

    /** When it fails unless it was accepted; see {@link BatchCall#deadline}. */
    long deadline;

    /** When it goes out even alone. */
    long dueAt;

    /** The number of calls that were to carry it. */
    int tries;

    /** The number of calls that carried it and have ended, or have not when it failed. */
    private int attempts;

    /** The number of calls that carried it and on which the server may have acted: no response confirms or denies it. */
    int unknown;

    /** Why its last call failed. */
    @Nullable
    Throwable lastFailure;

    /** It goes out in a call of its own. */
    boolean alone;

    /** No call may carry it any more. */
    boolean settled;

    private @Nullable R value;
    private @Nullable EntryFailedException failure;

    /** Its size is at least 1, so that a batch that took something has less room. */
    Pending(BatchEntry<E> entry, long now, FlushBarrier barrier, BatchCall<E, R> call) {
        this.item = entry.item();
        this.bytes = Math.max(1, entry.bytes());
        this.orderingKey = entry.orderingKey();
        this.deadline = entry.deadline();
        this.dueAt = now;
        this.barrier = barrier;
        this.call = call;
    }

    boolean expired(long now) {
        if (deadline - now <= 0 && !settled) {
            deadline = call.deadline(item, deadline);
        }
        return deadline - now <= 0;
    }

    /**
     * Its call has not accepted it.
     *
     * @param ended whether the call has ended; otherwise the entry fails before that
     * @param unclear whether the server may have acted on what the call carries
     */
    void notAccepted(boolean ended, boolean unclear) {
        if (call.carries(item, ended)) {
            attempts++;
            unknown += unclear ? 1 : 0;
        }
    }

    /** Returns a failure of this entry. */
    EntryFailedException failure(String code, String message, @Nullable Throwable cause) {
        return new EntryFailedException(code, message, attempts, unknown > 0, cause);
    }

    /** Fails: its deadline passed. */
    void expire() {
        String last = lastFailure == null ? "no call got a response" : lastFailure.getMessage();
        failed(failure(
                EntryFailedException.DEADLINE_EXCEEDED,
                "Not accepted before its deadline, after " + Words.count(attempts, "call") + " (" + last + ")",
                lastFailure));
    }

    /** Fails: the batcher closed. */
    void close() {
        String before = unknown > 0
                ? "Closed before a response confirmed it"
                : attempts == 0 ? "Closed before it was sent" : "Closed before it was accepted";
        failed(failure(EntryFailedException.CLOSED, before, lastFailure));
    }

    void accepted(@Nullable R accepted) {
        settled = true;
        value = accepted;
    }

    void failed(EntryFailedException cause) {
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
    public @Nullable EntryFailedException cause() {
        return failure;
    }
}
