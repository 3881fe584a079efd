/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client;

import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.support.SqsErrors;
import org.jspecify.annotations.Nullable;

/** A call to SQS failed as a whole: it was refused or throttled, or its response is unreadable or missing. */
public final class QueueCallException extends BatchSqsException {

    /** The call's name in SQS. */
    private final String operation;
    /** The error code of SQS, or the kind of failure without a response. */
    private final String code;
    /** Whether the same call may succeed later. */
    private final boolean retryable;
    /** Whether SQS responded and refused the call. */
    private final boolean refused;

    /**
     * Creates the failure of a call; it counts as refused if it has no cause and is not retryable.
     *
     * @param operation the call's name in SQS, for example {@code SendMessageBatch}
     * @param code the error code of SQS, or the kind of failure without a response, for example
     *     {@code ConnectionFailed}
     * @param message the text for people
     * @param retryable whether the same call may succeed later
     * @param cause the client library's exception, or {@code null} if there is none
     */
    public QueueCallException(
            String operation, String code, String message, boolean retryable, @Nullable Throwable cause) {
        this(operation, code, message, retryable, cause == null && !retryable, cause);
    }

    /**
     * Creates the failure of a call.
     *
     * @param operation the call's name in SQS, for example {@code SendMessageBatch}
     * @param code the error code of SQS, or the kind of failure without a response, for example
     *     {@code ConnectionFailed}
     * @param message the text for people
     * @param retryable whether the same call may succeed later
     * @param refused see {@link #refused()}
     * @param cause the client library's exception, or {@code null} if there is none
     */
    public QueueCallException(
            String operation,
            String code,
            String message,
            boolean retryable,
            boolean refused,
            @Nullable Throwable cause) {
        super(message, cause);
        this.operation = operation;
        this.code = code;
        this.retryable = retryable;
        this.refused = refused;
    }

    /**
     * Creates the failure of an entry that SQS refused in a successful call, with the message and remedy of a failed
     * call.
     *
     * @param operation the call's name in SQS
     * @param queue the queue's name
     * @param entry the refused entry
     * @return the failure of that entry
     */
    public static QueueCallException refusedEntry(String operation, String queue, EntryResult.Rejected<?> entry) {
        String message = SqsErrors.message(operation, queue, entry.code(), "", entry.message());
        return new QueueCallException(operation, entry.code(), message, entry.retryable(), null);
    }

    /** {@return the SQS operation, for example {@code ReceiveMessage}} */
    public String operation() {
        return operation;
    }

    /** {@return SQS's error code, or the kind of failure without a response, for example {@code ConnectionFailed}} */
    public String code() {
        return code;
    }

    @Override
    public boolean retryable() {
        return retryable;
    }

    /**
     * {@return whether SQS refused the call, so that it acted on none of its entries} {@code false} if that is not
     * known: there was no response, it was a 5xx, or the client had repeated the call after one of these.
     */
    public boolean refused() {
        return refused;
    }
}
