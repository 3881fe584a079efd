/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.payload;

import io.github.batchsqs.errors.BatchSqsException;
import org.jspecify.annotations.Nullable;

/** A payload could not be stored or fetched. The message names the place of the payload, the reason and the remedy. */
public final class PayloadStoreException extends BatchSqsException {

    /** Whether the same action may succeed later. */
    private final boolean retryable;

    /**
     * Creates the exception.
     *
     * @param message the place, the reason and the remedy; no part of the payload
     * @param retryable whether the same action may succeed later, because the store, and not the payload, is at fault
     * @param cause the original failure, or {@code null} if there is none
     */
    public PayloadStoreException(String message, boolean retryable, @Nullable Throwable cause) {
        super(message, cause);
        this.retryable = retryable;
    }

    @Override
    public boolean retryable() {
        return retryable;
    }
}
