/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.batch;

import java.util.List;

/**
 * One call that carries a whole batch.
 *
 * <p>Called by a {@link Batcher} on one of its call threads, by up to {@code maxInFlight} threads at once.
 *
 * @param <E> an entry
 * @param <R> what an accepted entry brings back
 */
@FunctionalInterface
public interface BatchCall<E, R> {

    /**
     * Makes the call and answers for each entry, in the order of the entries.
     *
     * @throws io.github.batchsqs.BatchSqsException if the call as a whole failed; its entries are tried again if that
     *     is {@link io.github.batchsqs.BatchSqsException#retryable() retryable}
     * @throws InterruptedException if the call was aborted; its entries fail
     */
    List<EntryResult<R>> call(List<E> entries) throws InterruptedException;

    /**
     * Told once of each entry what became of it, of all those of a call together, just before their promises complete; on
     * any thread, without a lock. Cheaper than to hang something on each promise. Must not throw.
     */
    default void settled(List<? extends SettledEntry<E, R>> entries) {}
}
