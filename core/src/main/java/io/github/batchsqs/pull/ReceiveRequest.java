/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.pull;

import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.SqsLimits;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Describes the messages that a caller wants to receive. Immutable.
 *
 * <p>A receive of up to ten messages is one call to SQS, which returns what the queue has as soon as it has any, often fewer than
 * ten. A receive of more makes call after call until one finds the queue empty. It ends in any case with {@code
 * maxMessages}, or when {@code waitTime} has passed: then no further call begins.
 *
 * @param <T> the payload type
 * @param queue the queue's name, URL or ARN
 * @param payloadType the type of the payloads, generic ones included
 * @param maxMessages the maximum number of messages, 1 to 120,000; 10 unless set
 * @param minMessages the number of messages to wait for, 1 to {@code maxMessages}; 1 unless set. After {@code waitTime} the
 *     receive returns fewer
 * @param waitTime the maximum time to wait for messages, over all calls, 0 s to 1 h, in whole seconds, rounded up; 10 s unless set.
 *     The look-up of the queue comes on top. With zero there is one call, which does not wait
 * @param visibilityTimeout how long the messages stay hidden from the receive on, 1 s to 12 h; {@code null} for the queue's
 *     own. Nothing extends it by itself. Must be longer than {@code waitTime} if {@code minMessages} is above 1 or {@code
 *     maxMessages} above 10
 * @param attemptId the {@code ReceiveRequestAttemptId} of FIFO queues, 1 to 120 characters: a second receive with the same id
 *     within five minutes brings the same messages, as long as none of them was settled; {@code null} for a new one. Where a
 *     receive makes several calls, the further ones have this id with a number after it
 */
public record ReceiveRequest<T>(
        String queue,
        Type payloadType,
        int maxMessages,
        int minMessages,
        Duration waitTime,
        @Nullable Duration visibilityTimeout,
        @Nullable String attemptId) {

    /** SQS accepts 128; the number of a further call follows. */
    private static final int MAX_ATTEMPT_ID = 120;

    /**
     * Checks the values.
     *
     * @throws InvalidOptionException if a value breaks its rule
     */
    public ReceiveRequest {
        Objects.requireNonNull(queue, "queue");
        Objects.requireNonNull(payloadType, "payloadType");
        Check.range("max-messages", maxMessages, 1, SqsLimits.MAX_IN_FLIGHT);
        Check.that(
                minMessages >= 1 && minMessages <= maxMessages,
                "min-messages",
                "must be between 1 and max-messages (" + maxMessages + ")",
                minMessages,
                "lower it, or raise max-messages");
        Check.range("wait-time", waitTime, Duration.ZERO, Duration.ofHours(1));
        if (visibilityTimeout != null) {
            Check.range("visibility-timeout", visibilityTimeout, Duration.ofSeconds(1), SqsLimits.MAX_VISIBILITY);
        }
        Check.that(
                visibilityTimeout == null
                        || (minMessages == 1 && maxMessages <= SqsLimits.MAX_PER_CALL)
                        || seconds(visibilityTimeout) > seconds(waitTime),
                "visibility-timeout",
                "must be longer than wait-time (" + Check.text(waitTime)
                        + ") where one call may not bring all messages: the first would be delivered again during the wait",
                String.valueOf(visibilityTimeout),
                "raise it, or lower wait-time");
        Check.that(
                attemptId == null || (!attemptId.isEmpty() && attemptId.length() <= MAX_ATTEMPT_ID),
                "attempt-id",
                "must have 1 to " + MAX_ATTEMPT_ID + " characters",
                String.valueOf(attemptId),
                "leave it out, or use a UUID");
    }

    /** Returns the seconds that SQS is asked for. */
    private static long seconds(Duration duration) {
        return Math.ceilDiv(duration.toMillis(), 1_000L);
    }

    /**
     * {@return a request with the defaults}
     *
     * @param <T> the payload type
     * @param queue the queue's name, URL or ARN
     * @param payloadType the type of the payloads
     */
    public static <T> ReceiveRequest<T> of(String queue, Class<T> payloadType) {
        return builder(queue, payloadType).build();
    }

    /**
     * {@return a builder with the defaults}
     *
     * @param <T> the payload type
     * @param queue the queue's name, URL or ARN
     * @param payloadType the type of the payloads
     */
    public static <T> Builder<T> builder(String queue, Class<T> payloadType) {
        return new Builder<>(queue, payloadType);
    }

    /**
     * {@return a builder with the defaults}
     *
     * @param <T> the payload type
     * @param queue the queue's name, URL or ARN
     * @param payloadType the type of the payloads, which may be generic
     */
    public static <T> Builder<T> builder(String queue, Type payloadType) {
        return new Builder<>(queue, payloadType);
    }

    /** {@return a builder with the values of this request} */
    public Builder<T> toBuilder() {
        Builder<T> builder = new Builder<>(queue, payloadType);
        builder.maxMessages = maxMessages;
        builder.minMessages = minMessages;
        builder.waitTime = waitTime;
        builder.visibilityTimeout = visibilityTimeout;
        builder.attemptId = attemptId;
        return builder;
    }

    /**
     * Builds a request; values that are not set keep their defaults. Not safe for use by several threads.
     *
     * @param <T> the payload type
     */
    public static final class Builder<T> {

        private String queue;
        private final Type payloadType;
        private int maxMessages = SqsLimits.MAX_PER_CALL;
        private int minMessages = 1;
        private Duration waitTime = Duration.ofSeconds(10);
        private @Nullable Duration visibilityTimeout;
        private @Nullable String attemptId;

        private Builder(String queue, Type payloadType) {
            this.queue = queue;
            this.payloadType = payloadType;
        }

        /**
         * Sets the queue.
         *
         * @param value the queue's name, URL or ARN
         * @return this builder
         */
        public Builder<T> queue(String value) {
            queue = value;
            return this;
        }

        /**
         * Sets {@link ReceiveRequest#maxMessages()}.
         *
         * @param value the maximum number of messages, 1 to 120,000
         * @return this builder
         */
        public Builder<T> maxMessages(int value) {
            maxMessages = value;
            return this;
        }

        /**
         * Sets {@link ReceiveRequest#minMessages()}.
         *
         * @param value the number of messages to wait for, 1 to the maximum
         * @return this builder
         */
        public Builder<T> minMessages(int value) {
            minMessages = value;
            return this;
        }

        /**
         * Sets {@link ReceiveRequest#waitTime()}.
         *
         * @param value the maximum time to wait for messages, over all calls, 0 s to 1 h
         * @return this builder
         */
        public Builder<T> waitTime(Duration value) {
            waitTime = value;
            return this;
        }

        /**
         * Sets {@link ReceiveRequest#visibilityTimeout()}.
         *
         * @param value how long the messages stay hidden, 1 s to 12 h, or {@code null} for the queue's own
         * @return this builder
         */
        public Builder<T> visibilityTimeout(@Nullable Duration value) {
            visibilityTimeout = value;
            return this;
        }

        /**
         * Sets {@link ReceiveRequest#attemptId()}.
         *
         * @param value the id, only for FIFO queues, or {@code null} for a new one
         * @return this builder
         */
        public Builder<T> attemptId(@Nullable String value) {
            attemptId = value;
            return this;
        }

        /**
         * {@return the request}
         *
         * @throws InvalidOptionException if a value breaks its rule
         */
        public ReceiveRequest<T> build() {
            return new ReceiveRequest<>(
                    queue, payloadType, maxMessages, minMessages, waitTime, visibilityTimeout, attemptId);
        }
    }
}
