/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs;

import org.jspecify.annotations.Nullable;

/** Root of the errors that BatchSQS raises itself. Its message names the thing, the rule, the value and the remedy. */
public class BatchSqsException extends RuntimeException {

    public BatchSqsException(String message) {
        super(message);
    }

    public BatchSqsException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Whether doing the same again later may succeed; {@code false} unless a subclass knows better. */
    public boolean retryable() {
        return false;
    }
}
