/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.batch;

import io.github.batchsqs.internal.client.EntryResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One call that carries a whole batch.
 *
 * <p>Called by a {@link Batcher} on one of its call threads, by up to {@code maxInFlight} threads at once.
 *
 * @param <E> an entry
 * @param <R> the result of an accepted entry
 */
@FunctionalInterface
public interface BatchCall<E, R> {

    /**
     * The result of an entry that a call leaves out because nothing is to be done for it. It counts as accepted; but the
     * server has not seen it, so that entries ahead of it with its ordering key may still be tried again.
     */
    @SuppressWarnings("NullAway") // it has no value
    EntryResult<Void> LEFT_OUT = new EntryResult.Accepted<>(null);

    /** Returns whether it is the result of an entry that a call left out. */
    @SuppressWarnings("ReferenceEquality") // another result without a value is one of SQS
    static boolean isLeftOut(EntryResult<?> result) {
        return result == LEFT_OUT;
    }

    /**
     * Makes the call and returns the result of each entry, in the order of the entries.
     *
     * @throws io.github.batchsqs.errors.BatchSqsException if the call as a whole failed; {@link #judge} decides what that means
     * @throws InterruptedException if the call was aborted; its entries fail
     */
    List<EntryResult<R>> call(List<E> entries) throws InterruptedException;

    /** Decides what the failure of a whole call means for its entries. Called on the thread of the call, without a lock. Must not throw. */
    default CallFailure judge(Throwable failure) {
        return CallFailure.of(failure, false);
    }

    /**
     * Returns until when an entry is tried whose deadline seems to have passed: it may have moved since the entry was added. Called with
     * the batcher's lock held; must be quick and must not throw.
     *
     * @param passed the deadline so far
     */
    default long deadline(E entry, long passed) {
        return passed;
    }

    /**
     * Returns whether the call carries the entry to the server: it may leave entries out. Called with the batcher's lock held; must be
     * quick and must not throw.
     *
     * @param ended whether the call has ended, and has not accepted the entry; otherwise the entry fails meanwhile, and a call that does
     *     not carry it yet never does
     */
    default boolean carries(E entry, boolean ended) {
        return true;
    }

    /**
     * Called after a call, when its outcome is in force for its entries, on its thread and without a lock: what takes long here, for
     * example a log that blocks, delays no more than the delivery of these entries. Must not throw.
     *
     * @param results the results; empty if the call failed
     * @param failure why the call as a whole failed, or {@code null}
     */
    default void called(List<EntryResult<R>> results, @Nullable Throwable failure) {}

    /**
     * Called once with the outcome of all entries that were settled together, in their order, before any of them is
     * delivered; on any thread, the timer included, without a lock. Must be quick. An exception is logged, and the entries are
     * delivered all the same.
     */
    default void settled(List<? extends SettledEntry<E, R>> entries) {}

    /**
     * Called once for each settled entry, in order, on a call thread and without a lock: completes the futures of users. May
     * block, as their callbacks may.
     */
    default void deliver(SettledEntry<E, R> entry) {}
}
