/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import io.github.batchsqs.errors.BatchSqsException;
import org.jspecify.annotations.Nullable;

/** A queue cannot be used now, but may be later. */
final class TransientException extends BatchSqsException {

    TransientException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    @Override
    public boolean retryable() {
        return true;
    }
}
