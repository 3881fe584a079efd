/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.errors;

import org.jspecify.annotations.Nullable;

/** Root of the errors that BatchSQS raises itself. Its message names the thing, the rule, the value and the remedy. */
public class BatchSqsException extends RuntimeException {

    /**
     * Creates an exception without a cause.
     *
     * @param message the failure and its remedy
     */
    public BatchSqsException(String message) {
        super(message);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param message the failure and its remedy
     * @param cause the original failure, or {@code null} if there is none
     */
    public BatchSqsException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** {@return whether the same action may succeed later; {@code false} unless a subclass overrides it} */
    public boolean retryable() {
        return false;
    }
}
