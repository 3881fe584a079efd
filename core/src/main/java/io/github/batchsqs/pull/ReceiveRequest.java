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
 * Describes one call to SQS that receives messages. Immutable: each method with a parameter returns a changed copy.
 *
 * <p>SQS returns what the queue has as soon as it has any, often fewer than {@code maxMessages}. For more messages, receive again.
 *
 * @param <T> the payload type
 * @param queue the queue's name, URL or ARN
 * @param payloadType the type of the payloads, generic ones included
 * @param maxMessages the maximum number of messages, 1 to 10; 10 unless set
 * @param waitTime how long SQS waits for a message, 0 s to 20 s, in whole seconds, rounded up; 10 s unless set. The look-up of the
 *     queue comes on top
 * @param visibilityTimeout how long the messages stay hidden from the receive on, 1 s to 12 h; {@code null} for the queue's
 *     own. Nothing extends it by itself
 */
public record ReceiveRequest<T>(
        String queue,
        Type payloadType,
        int maxMessages,
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
        Check.range("max-messages", maxMessages, 1, SqsLimits.MAX_PER_CALL);
        Check.range("wait-time", waitTime, Duration.ZERO, SqsLimits.MAX_WAIT);
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
        return new ReceiveRequest<>(queue, payloadType, SqsLimits.MAX_PER_CALL, Duration.ofSeconds(10), null);
    }

    /**
     * {@return a request for at most so many messages}
     *
     * @param value the maximum number of messages, 1 to 10
     */
    public ReceiveRequest<T> maxMessages(int value) {
        return new ReceiveRequest<>(queue, payloadType, value, waitTime, visibilityTimeout);
    }

    /**
     * {@return a request that waits so long}
     *
     * @param value how long SQS waits for a message, 0 s to 20 s
     */
    public ReceiveRequest<T> waitTime(Duration value) {
        return new ReceiveRequest<>(queue, payloadType, maxMessages, value, visibilityTimeout);
    }

    /**
     * {@return a request whose messages stay hidden so long}
     *
     * @param value the visibility timeout, 1 s to 12 h, or {@code null} for the queue's own
     */
    public ReceiveRequest<T> visibilityTimeout(@Nullable Duration value) {
        return new ReceiveRequest<>(queue, payloadType, maxMessages, waitTime, value);
    }
}
