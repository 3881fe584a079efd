/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.internal.batch.EntryFailedException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** SQS did not accept a message, or no response confirms that it did; see {@link #delivery()}. */
public final class SendFailedException extends BatchSqsException {

    /** {@link #code()}: the message breaks a rule of SQS that was checked before it was sent. */
    public static final String INVALID_MESSAGE = "InvalidMessage";

    /** {@link #code()}: the payload could not be written. */
    public static final String CONVERSION_FAILED = "ConversionFailed";

    /** {@link #code()}: the queue was not found, or its look-up took longer than {@code max-block}. */
    public static final String QUEUE_UNAVAILABLE = "QueueUnavailable";

    /** {@link #code()}: the buffer was full for {@code max-block}. */
    public static final String BUFFER_FULL = "BufferFull";

    /** {@link #code()}: the thread was interrupted before the message was taken. */
    public static final String INTERRUPTED = "Interrupted";

    /**
     * {@link #code()}: the transaction of the message did not commit, or its end is not known. Not sent, unless {@link #delivery()} is
     * {@link Delivery#UNKNOWN}: then the message is in the outbox, which sends it if the transaction has committed.
     */
    public static final String NOT_COMMITTED = "NotCommitted";

    /** {@link #code()}: the delivery timeout passed, or nine tenths of it before any call; see {@link #delivery()}. */
    public static final String DELIVERY_TIMEOUT = EntryFailedException.DEADLINE_EXCEEDED;

    /** {@link #code()}: the template was closed before SQS accepted the message; see {@link #delivery()}. */
    public static final String CLOSED = EntryFailedException.CLOSED;

    /**
     * {@link #code()}: the call that refused this message accepted a later one of its group, so sending it again would reorder
     * the group. It is not in the queue, unless an earlier call that carried it got no response.
     */
    public static final String OUT_OF_ORDER = EntryFailedException.OUT_OF_ORDER;

    /** {@link #code()}: the call of the message failed as a whole, for a reason that is none of SQS's codes. */
    public static final String CALL_FAILED = EntryFailedException.CALL_FAILED;

    /**
     * {@link #code()}: the message is stored in the outbox, which goes on sending it; only the wait for SQS's response is over.
     * Do not send it again.
     */
    public static final String IN_OUTBOX = "InOutbox";

    /**
     * {@link #code()}: SQS stored the message, but not as it was sent; the digest in its response shows it. Direct calls do not compare
     * digests, those through the AWS SDK's request pipeline do.
     */
    public static final String DIGEST_MISMATCH = "DigestMismatch";

    /** {@link #code()}: the payload, which is to be stored outside of SQS, could not be stored. */
    public static final String PAYLOAD_NOT_STORED = "PayloadNotStored";

    /** What is known about a failed message. */
    public enum Delivery {
        /** No call carried it. */
        NOT_SENT,
        /** It is not in the queue: SQS refused each call that carried it, or the call could not be made. */
        REFUSED,
        /**
         * A call carried it and got no response about it, or a 5xx: it may be in the queue. Sent again to a standard queue, it may then
         * be delivered twice. Sent again to a FIFO queue with the same deduplication id (the same message has the same, with every
         * strategy of {@link DeduplicationIds}) within five minutes of the first try, it is delivered once.
         */
        UNKNOWN
    }

    /** The name of the queue. */
    private final String queue;
    /** The error code. */
    private final String code;
    /** The number of calls that carried the message. */
    private final int attempts;
    /** Whether the same message may be accepted later. */
    private final boolean retryable;
    /** Whether the message was sent, as far as that is known. */
    private final Delivery delivery;

    /**
     * Creates the exception.
     *
     * @param queue the name, URL or ARN of the queue
     * @param code SQS's error code, or one of this class
     * @param reason why the message was not sent
     * @param attempts the number of calls that carried the message
     * @param retryable whether the same message may be accepted later
     * @param delivery whether the message was sent, as far as that is known
     * @param cause the original failure, or {@code null} if there is none
     */
    public SendFailedException(
            String queue,
            String code,
            String reason,
            int attempts,
            boolean retryable,
            Delivery delivery,
            @Nullable Throwable cause) {
        super(words(queue, code, reason, delivery), cause);
        this.queue = queue;
        this.code = code;
        this.attempts = attempts;
        this.retryable = retryable;
        this.delivery = delivery;
    }

    private static String words(String queue, String code, String reason, Delivery delivery) {
        String message = "The message to queue '" + queue + "' ";
        return switch (delivery) {
            case NOT_SENT -> message + "was not sent (" + code + "): " + reason;
            case REFUSED -> message + "was not accepted (" + code + "): " + reason;
            case UNKNOWN ->
                message + "may have been accepted, which is not known (" + code + "): " + reason
                        + (WITHOUT_REMEDY.contains(code) ? "" : ". " + remedy(queue));
        };
    }

    /** Codes of messages that are in the queue, or that an outbox may send. */
    private static final Set<String> WITHOUT_REMEDY = Set.of(DIGEST_MISMATCH, IN_OUTBOX, NOT_COMMITTED);

    private static String remedy(String queue) {
        return queue.endsWith(".fifo")
                ? "Sent again with the same deduplication id within five minutes of the first try, it is delivered once"
                : "Sent again, it may be delivered twice: handlers must tolerate that, or look for it before";
    }

    /** {@return the name, URL or ARN of the queue, as the message has it} */
    public String queue() {
        return queue;
    }

    /** {@return SQS's error code, or one of this class} */
    public String code() {
        return code;
    }

    /** {@return the number of calls that carried the message; 0 if it failed before it was sent} */
    public int attempts() {
        return attempts;
    }

    /** {@return what is known about the message: not sent, refused, or sent without a response} */
    public Delivery delivery() {
        return delivery;
    }

    /**
     * Returns whether the same message may be accepted when it is sent again.
     *
     * <p>{@code false} for {@link #OUT_OF_ORDER} too, because the message would then follow its successors; only the
     * application knows whether that is acceptable.
     */
    @Override
    public boolean retryable() {
        return retryable;
    }
}
