/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs;

import io.github.batchsqs.internal.support.SqsLimits;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of each message of one batch. It applies with {@code acknowledge.mode: on-success}; the other modes ignore it.
 * Immutable.
 *
 * <p>{@link #done()} and {@link #retry()} apply to the whole batch; {@link #perMessage()} starts an outcome for each message. A
 * message that such an outcome does not name fails; it never counts as a success.
 *
 * <p>On a FIFO queue a message that is retried stops its group: the later messages of the group in the batch are not
 * deleted either, and run again after it. Behind a message with the outcome {@link DeadLetter}, the outcomes of the later
 * messages apply when the dead-letter queue has accepted it.
 */
public final class BatchOutcome {

    private static final BatchOutcome DONE = new BatchOutcome(Map.of(), new Done());
    private static final BatchOutcome RETRY = new BatchOutcome(Map.of(), new Retry(null, null));

    private final Map<String, Outcome> byId;
    private final @Nullable Outcome others;

    private BatchOutcome(Map<String, Outcome> byId, @Nullable Outcome others) {
        this.byId = byId;
        this.others = others;
    }

    /** {@return the outcome that deletes all messages} */
    public static BatchOutcome done() {
        return DONE;
    }

    /** {@return the outcome that retries all messages after the listener's backoff} */
    public static BatchOutcome retry() {
        return RETRY;
    }

    /**
     * {@return the outcome that retries all messages after the given delay}
     *
     * @param after 0 to 12 hours; a delay in the queue is rounded up to whole seconds
     * @throws IllegalArgumentException if the delay is out of range
     */
    public static BatchOutcome retry(Duration after) {
        return new BatchOutcome(Map.of(), new Retry(requireVisibility(after), null));
    }

    /**
     * Starts an outcome for each message.
     *
     * @return a builder that names no message yet
     */
    public static Builder perMessage() {
        return new Builder();
    }

    /**
     * {@return the outcome of one message, or {@code null} if this outcome has none for it}
     *
     * @param message a message of the batch
     */
    public @Nullable Outcome of(SqsMessage<?> message) {
        return byId.getOrDefault(message.id(), others);
    }

    /** {@return the ids of the messages that this outcome names individually} */
    public Collection<String> named() {
        return byId.keySet();
    }

    private static Duration requireVisibility(Duration after) {
        if (after.isNegative() || after.compareTo(SqsLimits.MAX_VISIBILITY) > 0) {
            throw new IllegalArgumentException(
                    "The delay of a retry must be 0 s to 12 h, as SQS's visibility timeout, but is " + after
                            + "; pass a delay in that range");
        }
        return after;
    }

    /** The outcome of one message. */
    public sealed interface Outcome permits Done, Retry, DeadLetter, Leave {}

    /** The message was handled and is deleted. */
    public record Done() implements Outcome {}

    /**
     * The message was not handled and is retried.
     *
     * @param after the delay, or {@code null} for the listener's backoff
     * @param cause the reason, for the error hook, or {@code null}; without a cause the error hook is not called
     */
    public record Retry(@Nullable Duration after, @Nullable Throwable cause) implements Outcome {}

    /**
     * The message can never be handled and moves to the dead-letter queue at once, as the listener's {@code
     * failure.dead-letter} defines it.
     *
     * @param cause the reason, for the error hook and the attributes of the dead letter, or {@code null}; without a cause
     *     the error hook is not called
     */
    public record DeadLetter(@Nullable Throwable cause) implements Outcome {}

    /**
     * The message is neither deleted nor returned: it becomes visible again when its visibility timeout passes. On a FIFO
     * queue this applies to the later messages of its group too.
     */
    public record Leave() implements Outcome {}

    /** Collects the outcomes of messages. The last outcome of a message applies. Not safe for use by several threads. */
    public static final class Builder {

        private final Map<String, Outcome> byId = new HashMap<>();
        private @Nullable Outcome others;

        private Builder() {}

        /**
         * Marks messages as handled: they are deleted.
         *
         * @param messages messages of the batch
         * @return this builder
         */
        public Builder done(SqsMessage<?>... messages) {
            return put(List.of(messages), new Done());
        }

        /**
         * Marks messages as handled: they are deleted.
         *
         * @param messages messages of the batch
         * @return this builder
         */
        public Builder done(Collection<? extends SqsMessage<?>> messages) {
            return put(messages, new Done());
        }

        /**
         * Retries the message after the listener's backoff.
         *
         * @param message a message of the batch
         * @return this builder
         */
        public Builder retry(SqsMessage<?> message) {
            return put(List.of(message), new Retry(null, null));
        }

        /**
         * Retries the message after the listener's backoff; the error hook receives the cause.
         *
         * @param message a message of the batch
         * @param cause the exception that the handler caught
         * @return this builder
         */
        public Builder retry(SqsMessage<?> message, Throwable cause) {
            return put(List.of(message), new Retry(null, cause));
        }

        /**
         * Retries the message after the given delay. On a FIFO queue a delay above 30 s returns the
         * message and the later messages of its group to the queue.
         *
         * @param message a message of the batch
         * @param after 0 to 12 hours; a delay in the queue is rounded up to whole seconds
         * @return this builder
         * @throws IllegalArgumentException if the delay is out of range
         */
        public Builder retry(SqsMessage<?> message, Duration after) {
            return put(List.of(message), new Retry(requireVisibility(after), null));
        }

        /**
         * Moves the message to the dead-letter queue. Attributes of the dead letter name the cause. The outcomes of the
         * messages behind it hold, on a FIFO queue too: one that the handler has not run must not be done.
         *
         * @param message a message of the batch
         * @param cause the exception that the handler caught, or {@code null} if there is none
         * @return this builder
         */
        public Builder deadLetter(SqsMessage<?> message, @Nullable Throwable cause) {
            return put(List.of(message), new DeadLetter(cause));
        }

        /**
         * Neither deletes nor returns the message: it becomes visible when its visibility timeout passes. On a FIFO queue this
         * applies to the later messages of its group too.
         *
         * @param message a message of the batch
         * @return this builder
         */
        public Builder leave(SqsMessage<?> message) {
            return put(List.of(message), new Leave());
        }

        /**
         * Marks all messages that are not named as handled.
         *
         * @return this builder
         */
        public Builder othersDone() {
            others = new Done();
            return this;
        }

        /**
         * Retries all messages that are not named after the listener's backoff.
         *
         * @return this builder
         */
        public Builder othersRetry() {
            others = new Retry(null, null);
            return this;
        }

        /** {@return the outcome} */
        public BatchOutcome build() {
            return new BatchOutcome(Map.copyOf(byId), others);
        }

        private Builder put(Collection<? extends SqsMessage<?>> messages, Outcome outcome) {
            for (SqsMessage<?> message : messages) {
                byId.put(Objects.requireNonNull(message, "message").id(), outcome);
            }
            return this;
        }
    }
}
