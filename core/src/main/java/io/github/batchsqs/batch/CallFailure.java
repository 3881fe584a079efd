/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.batch;

import io.github.batchsqs.errors.BatchSqsException;

/**
 * What the failure of a whole call means for its entries.
 *
 * @param retryable whether the entries may be accepted later
 * @param mayHaveBeenAccepted whether the server may have acted on the entries all the same, because no response denies it
 * @param alone whether one entry may be to blame for the others: each is tried again at once, in a call of its own
 */
public record CallFailure(boolean retryable, boolean mayHaveBeenAccepted, boolean alone) {

    /** Judges a failure of which no more is known than that it was thrown. */
    public static CallFailure of(Throwable failure) {
        return new CallFailure(failure instanceof BatchSqsException known && known.retryable(), true, false);
    }
}
