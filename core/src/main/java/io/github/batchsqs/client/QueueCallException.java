/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.client;

import io.github.batchsqs.errors.BatchSqsException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A call to SQS failed as a whole: it was refused or throttled, or its response is unreadable or missing. */
public final class QueueCallException extends BatchSqsException {

    private static final Duration LONGEST_RETRY_AFTER = Duration.ofSeconds(20);

    /** The call's name in SQS. */
    private final String operation;
    /** The error code of SQS, or the kind of failure without a response. */
    private final String code;
    /** Whether the same call may succeed later. */
    private final boolean retryable;
    /** Whether SQS responded and refused the call. */
    private final boolean refused;
    /** Whether SQS may have acted on the entries of the call. */
    private final boolean mayHaveBeenAccepted;
    /** The delay that the response asks for. */
    private final Duration retryAfter;

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
        this(
                operation,
                code,
                message,
                retryable,
                cause == null && !retryable,
                cause != null || retryable,
                Duration.ZERO,
                cause);
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
     * @param mayHaveBeenAccepted see {@link #mayHaveBeenAccepted()}
     * @param retryAfter see {@link #retryAfter()}
     * @param cause the client library's exception, or {@code null} if there is none
     */
    public QueueCallException(
            String operation,
            String code,
            String message,
            boolean retryable,
            boolean refused,
            boolean mayHaveBeenAccepted,
            Duration retryAfter,
            @Nullable Throwable cause) {
        super(message, cause);
        this.operation = operation;
        this.code = code;
        this.retryable = retryable;
        this.refused = refused;
        this.mayHaveBeenAccepted = mayHaveBeenAccepted;
        this.retryAfter = retryAfter.compareTo(LONGEST_RETRY_AFTER) < 0 ? retryAfter : LONGEST_RETRY_AFTER;
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

    /** {@return whether SQS responded and refused the call, by its last attempt} */
    public boolean refused() {
        return refused;
    }

    /**
     * {@return whether SQS may have acted on the entries of the call: an attempt got no response or a 5xx} {@code false} if
     * SQS refused every attempt, or the client tells that none sent anything: without credentials or a connection, or closed.
     */
    public boolean mayHaveBeenAccepted() {
        return mayHaveBeenAccepted;
    }

    /** {@return the delay that the response asks for before the next attempt, at most 20 s; zero if it asks for none} */
    public Duration retryAfter() {
        return retryAfter;
    }
}
