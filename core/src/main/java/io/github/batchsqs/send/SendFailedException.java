/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import io.github.batchsqs.BatchSqsException;
import io.github.batchsqs.batch.Batcher;
import org.jspecify.annotations.Nullable;

/** A message was not accepted, or it is not known whether it was. */
public final class SendFailedException extends BatchSqsException {

    /** {@link #code()}: the message breaks a rule of SQS that was checked before it was sent. */
    public static final String INVALID_MESSAGE = "InvalidMessage";

    /** {@link #code()}: the payload could not be written. */
    public static final String CONVERSION_FAILED = "ConversionFailed";

    /** {@link #code()}: the queue was not found, or could not be looked for. */
    public static final String QUEUE_UNAVAILABLE = "QueueUnavailable";

    /** {@link #code()}: the buffer was full for {@code max-block}. */
    public static final String BUFFER_FULL = "BufferFull";

    /** {@link #code()}: the thread was interrupted before the message was taken. */
    public static final String INTERRUPTED = "Interrupted";

    /** {@link #code()}: the transaction that it was bound to did not commit, or nobody knows whether it did. Never sent. */
    public static final String NOT_COMMITTED = "NotCommitted";

    /** {@link #code()}: the delivery timeout passed. Whether the last call was acted on is not known. */
    public static final String DELIVERY_TIMEOUT = Batcher.DEADLINE_EXCEEDED;

    /** {@link #code()}: closed before it was accepted. If a call was under way, it is not known whether it was acted on. */
    public static final String CLOSED = Batcher.CLOSED;

    /**
     * {@link #code()}: a later message of its group was accepted by the call that refused this one, and to send it again
     * would reorder the group. It did not arrive, unless an earlier call that carried it got no answer.
     */
    public static final String OUT_OF_ORDER = Batcher.OUT_OF_ORDER;

    private final String queue;
    private final String code;
    private final int attempts;
    private final boolean retryable;

    SendFailedException(
            String queue, String code, String reason, int attempts, boolean retryable, @Nullable Throwable cause) {
        super("The message to queue '" + queue + "' was not sent (" + code + "): " + reason, cause);
        this.queue = queue;
        this.code = code;
        this.attempts = attempts;
        this.retryable = retryable;
    }

    /** A failure before the message was sent. */
    static SendFailedException before(
            OutgoingMessage message, String code, String reason, boolean retryable, @Nullable Throwable cause) {
        return new SendFailedException(message.queue(), code, reason, 0, retryable, cause);
    }

    /** The queue as the sender named it. */
    public String queue() {
        return queue;
    }

    /** SQS's error code, or one of this class. */
    public String code() {
        return code;
    }

    /** How many calls carried the message; 0 if it was refused before it was sent. */
    public int attempts() {
        return attempts;
    }

    /**
     * Whether nothing is wrong with the message: the same one may be accepted another time.
     *
     * <p>{@code false} for {@link #OUT_OF_ORDER} too, because sending it again would put it behind its successors; only
     * the sender knows whether it may stand there.
     */
    @Override
    public boolean retryable() {
        return retryable;
    }
}
