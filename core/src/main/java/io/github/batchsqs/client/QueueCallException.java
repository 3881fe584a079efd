/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client;

import io.github.batchsqs.BatchSqsException;
import org.jspecify.annotations.Nullable;

/** A call to SQS failed as a whole: refused, throttled, answered with garbage, or never answered. */
public final class QueueCallException extends BatchSqsException {

    private final String operation;
    private final String code;
    private final boolean retryable;

    public QueueCallException(
            String operation, String code, String message, boolean retryable, @Nullable Throwable cause) {
        super(message, cause);
        this.operation = operation;
        this.code = code;
        this.retryable = retryable;
    }

    /** The SQS operation, for example {@code ReceiveMessage}. */
    public String operation() {
        return operation;
    }

    /** SQS's error code, or the kind of failure where there was no answer, for example {@code ConnectionFailed}. */
    public String code() {
        return code;
    }

    @Override
    public boolean retryable() {
        return retryable;
    }
}
