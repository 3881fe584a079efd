/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What became of the messages of one batch, message by message. Immutable.
 *
 * <p>{@link #done()} and {@link #retry()} speak for the whole batch; {@link #perMessage()} speaks for each message. An
 * outcome made by {@code perMessage()} that forgets a message makes that message fail: it is never taken for a success.
 *
 * <p>On a FIFO queue a message that is not done stops its group: what follows it in the batch is given back with it.
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

    /** Every message was handled; delete them. */
    public static BatchOutcome done() {
        return DONE;
    }

    /** No message was handled; try them again after the listener's backoff. */
    public static BatchOutcome retry() {
        return RETRY;
    }

    /**
     * No message was handled; try them again after the given time.
     *
     * @param after 0 to 12 hours; SQS counts whole seconds, so it is rounded up
     */
    public static BatchOutcome retry(Duration after) {
        return new BatchOutcome(Map.of(), new Retry(requireVisibility(after), null));
    }

    /** An outcome for each message. */
    public static Builder perMessage() {
        return new Builder();
    }

    /** The outcome of one message, or {@code null} if this outcome forgets it. */
    public @Nullable Outcome of(SqsMessage<?> message) {
        return byId.getOrDefault(message.id(), others);
    }

    /** The ids of the messages that this outcome names one by one. */
    public Collection<String> named() {
        return byId.keySet();
    }

    private static Duration requireVisibility(Duration after) {
        if (after.isNegative() || after.compareTo(Duration.ofHours(12)) > 0) {
            throw new IllegalArgumentException(
                    "A retry comes 0 s to 12 h later (SQS's visibility timeout), but was asked for after " + after);
        }
        return after;
    }

    /** What became of one message. */
    public sealed interface Outcome permits Done, Retry, DeadLetter, Leave {}

    /** Handled: delete it. */
    public record Done() implements Outcome {}

    /**
     * Not handled: try it again.
     *
     * @param after the delay, or {@code null} for the listener's backoff
     * @param cause why, for the error hook and the log
     */
    public record Retry(@Nullable Duration after, @Nullable Throwable cause) implements Outcome {}

    /** Never to be handled: move it to the dead-letter queue now, by the listener's {@code failure.dead-letter}. */
    public record DeadLetter(@Nullable Throwable cause) implements Outcome {}

    /** Neither delete nor give back: it becomes visible again when its visibility timeout passes. */
    public record Leave() implements Outcome {}

    /** Collects outcomes message by message; the last word on a message counts. */
    public static final class Builder {

        private final Map<String, Outcome> byId = new HashMap<>();
        private @Nullable Outcome others;

        private Builder() {}

        /** These messages were handled. */
        public Builder done(SqsMessage<?>... messages) {
            return put(List.of(messages), new Done());
        }

        /** These messages were handled. */
        public Builder done(Collection<? extends SqsMessage<?>> messages) {
            return put(messages, new Done());
        }

        /** This message is tried again after the listener's backoff. */
        public Builder retry(SqsMessage<?> message) {
            return put(List.of(message), new Retry(null, null));
        }

        /** This message is tried again after the listener's backoff; the cause goes to the error hook. */
        public Builder retry(SqsMessage<?> message, Throwable cause) {
            return put(List.of(message), new Retry(null, cause));
        }

        /** This message is tried again after the given time, 0 to 12 hours. */
        public Builder retry(SqsMessage<?> message, Duration after) {
            return put(List.of(message), new Retry(requireVisibility(after), null));
        }

        /** This message goes to the dead-letter queue; the cause is told there. */
        public Builder deadLetter(SqsMessage<?> message, @Nullable Throwable cause) {
            return put(List.of(message), new DeadLetter(cause));
        }

        /** This message is left to its visibility timeout. */
        public Builder leave(SqsMessage<?> message) {
            return put(List.of(message), new Leave());
        }

        /** Every message that is not named was handled. */
        public Builder othersDone() {
            others = new Done();
            return this;
        }

        /** Every message that is not named is tried again after the listener's backoff. */
        public Builder othersRetry() {
            others = new Retry(null, null);
            return this;
        }

        /** The outcome, ready to return. */
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
