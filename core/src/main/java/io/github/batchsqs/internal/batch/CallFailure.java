/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.batch;

import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.errors.BatchSqsException;
import java.time.Duration;

/**
 * What the failure of a whole call means for its entries.
 *
 * @param retryable whether the entries may be accepted later
 * @param mayHaveBeenAccepted whether the server may have acted on the entries all the same, because no response denies it
 * @param alone whether one entry may be to blame for the others: each is tried again at once, in a call of its own
 * @param retryAfter the delay that the server asks for before the next call; zero if it asks for none
 */
public record CallFailure(boolean retryable, boolean mayHaveBeenAccepted, boolean alone, Duration retryAfter) {

    /** The meaning of a failure without a response, or of a call that succeeded. */
    CallFailure(boolean retryable, boolean mayHaveBeenAccepted) {
        this(retryable, mayHaveBeenAccepted, false, Duration.ZERO);
    }

    /** Judges a failure. */
    public static CallFailure of(Throwable failure, boolean alone) {
        return failure instanceof QueueCallException call
                ? new CallFailure(call.retryable(), call.mayHaveBeenAccepted(), alone, call.retryAfter())
                : new CallFailure(failure instanceof BatchSqsException known && known.retryable(), true);
    }
}
