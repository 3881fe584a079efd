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
 * Describes the messages that a caller wants to receive. Immutable: each method with a parameter returns a changed copy.
 *
 * <p>A receive of up to ten messages is one call to SQS, which returns what the queue has as soon as it has any, often fewer than
 * ten. A receive of more makes call after call until one finds the queue empty. It ends in any case with {@code
 * maxMessages}, or when {@code waitTime} has passed: then no further call begins. It ends, too, when SQS delivers a message again
 * because its visibility timeout has ended.
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
 *     own. Nothing extends it by itself. Set it above {@code waitTime} if one call may not bring all messages
 */
public record ReceiveRequest<T>(
        String queue,
        Type payloadType,
        int maxMessages,
        int minMessages,
        Duration waitTime,
        @Nullable Duration visibilityTimeout) {

    /**
     * Checks the values.
     *
     * @throws InvalidOptionException if a value breaks its rule
     */
    public ReceiveRequest {
        Objects.requireNonNull(queue, "queue");
        Objects.requireNonNull(payloadType, "payloadType");
        Check.range("max-messages", maxMessages, 1, SqsLimits.MAX_IN_FLIGHT);
        Check.range("min-messages", minMessages, 1, maxMessages);
        Check.range("wait-time", waitTime, Duration.ZERO, Duration.ofHours(1));
        if (visibilityTimeout != null) {
            Check.range("visibility-timeout", visibilityTimeout, Duration.ofSeconds(1), SqsLimits.MAX_VISIBILITY);
        }
    }

    /**
     * {@return a request with the defaults}
     *
     * @param <T> the payload type
     * @param queue the queue's name, URL or ARN
     * @param payloadType the type of the payloads
     */
    public static <T> ReceiveRequest<T> of(String queue, Class<T> payloadType) {
        return of(queue, (Type) payloadType);
    }

    /**
     * {@return a request with the defaults}
     *
     * @param <T> the payload type
     * @param queue the queue's name, URL or ARN
     * @param payloadType the type of the payloads, which may be generic
     */
    public static <T> ReceiveRequest<T> of(String queue, Type payloadType) {
        return new ReceiveRequest<>(queue, payloadType, SqsLimits.MAX_PER_CALL, 1, Duration.ofSeconds(10), null);
    }

    /**
     * {@return a request for at most so many messages} Also lowers a higher {@code minMessages}.
     *
     * @param value the maximum number of messages, 1 to 120,000
     */
    public ReceiveRequest<T> maxMessages(int value) {
        return new ReceiveRequest<>(
                queue, payloadType, value, Math.min(minMessages, value), waitTime, visibilityTimeout);
    }

    /**
     * {@return a request that waits for so many messages} Also raises a lower {@code maxMessages}.
     *
     * @param value the number of messages to wait for, 1 to 120,000
     */
    public ReceiveRequest<T> minMessages(int value) {
        return new ReceiveRequest<>(
                queue, payloadType, Math.max(maxMessages, value), value, waitTime, visibilityTimeout);
    }

    /**
     * {@return a request that waits so long}
     *
     * @param value the maximum time to wait for messages, over all calls, 0 s to 1 h
     */
    public ReceiveRequest<T> waitTime(Duration value) {
        return new ReceiveRequest<>(queue, payloadType, maxMessages, minMessages, value, visibilityTimeout);
    }

    /**
     * {@return a request whose messages stay hidden so long}
     *
     * @param value the visibility timeout, 1 s to 12 h, or {@code null} for the queue's own
     */
    public ReceiveRequest<T> visibilityTimeout(@Nullable Duration value) {
        return new ReceiveRequest<>(queue, payloadType, maxMessages, minMessages, waitTime, value);
    }
}
