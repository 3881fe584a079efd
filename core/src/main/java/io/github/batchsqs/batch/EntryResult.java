/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.batch;

/**
 * What a call answered for one of its entries.
 *
 * @param <R> what an accepted entry brings back
 */
public sealed interface EntryResult<R> {

    /** The entry was accepted. */
    record Accepted<R>(R value) implements EntryResult<R> {}

    /**
     * The entry was refused, although the call as a whole succeeded.
     *
     * @param code the server's error code
     * @param message the server's words
     * @param retryable whether the same entry may be accepted later
     */
    record Rejected<R>(String code, String message, boolean retryable) implements EntryResult<R> {}
}
