/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.SqsLimits;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Configures how messages are sent. Immutable; {@link #builder()} starts from the defaults.
 *
 * <p>The constructor checks each value; an {@link InvalidOptionException} names the setting (without its prefix), the rule,
 * the value and the remedy.
 *
 * @param linger how long a message waits for others that fill its batch, 0 to 10 s; 5 ms unless set
 * @param maxInFlight the maximum number of calls in flight per queue, 1 to 10,000; 128 unless set. Each needs a connection
 * @param buffer the limits of waiting messages, over all queues
 * @param deliveryTimeout how long a message may take from being buffered to being accepted, retries included: 1 ms to
 *     4 minutes 50 s, since SQS would take a retry on FIFO after 5 minutes for a new message; 2 minutes unless set. A call
 *     that carries the message beyond it is interrupted, on standard queues if no other message of the call has time left
 * @param deduplication the source of deduplication ids on FIFO queues; {@link DeduplicationIds#content()} unless set
 * @param shutdownTimeout how long the close of the template waits for buffered messages, up to 10 minutes; 5 s unless set, so that with
 *     the listeners' 25 s it stays within Kubernetes' 30 s
 * @param defaultQueue the name, URL or ARN of the queue for which {@link BatchSqsOperations#DEFAULT_QUEUE} stands, or {@code null}
 *     if every message and receive must name its queue
 * @param defaultAttributes message attributes to add to each message that does not have them. They count among its ten attributes and
 *     towards its size; the template checks them when it is created
 */
public record SenderOptions(
        Duration linger,
        int maxInFlight,
        Buffer buffer,
        Duration deliveryTimeout,
        DeduplicationIds deduplication,
        Duration shutdownTimeout,
        @Nullable String defaultQueue,
        Map<String, MessageAttribute> defaultAttributes) {

    /** SQS remembers a deduplication id for 5 minutes, and a call may go on for 10 s after the delivery timeout: it is interrupted then. */
    private static final Duration MAX_DELIVERY_TIMEOUT = Duration.ofMinutes(5).minusSeconds(10);

    /**
     * Checks the values.
     *
     * @throws InvalidOptionException if a value breaks its rule
     */
    public SenderOptions {
        Check.range("linger", linger, Duration.ZERO, Duration.ofSeconds(10));
        Check.range("max-in-flight", maxInFlight, 1, 10_000);
        Check.that(
                deliveryTimeout.isPositive() && deliveryTimeout.compareTo(MAX_DELIVERY_TIMEOUT) <= 0,
                "delivery-timeout",
                "must be positive and at most 4m50s, because SQS forgets deduplication ids after 5m, and a call that is"
                        + " under way when the time is over needs some seconds to end",
                Check.text(deliveryTimeout),
                "set a value such as 2m");
        Check.that(
                deliveryTimeout.compareTo(linger.multipliedBy(2)) >= 0,
                "delivery-timeout",
                "must be at least twice linger (" + Check.text(linger) + ")",
                Check.text(deliveryTimeout),
                "raise it, or lower linger");
        Objects.requireNonNull(deduplication, "deduplication");
        Check.range("shutdown-timeout", shutdownTimeout, Duration.ZERO, Duration.ofMinutes(10));
        Check.that(
                defaultQueue == null || !defaultQueue.isBlank(),
                "default-queue",
                "must not be blank",
                "'" + defaultQueue + "'",
                "name a queue, or remove it");
        defaultAttributes = Map.copyOf(defaultAttributes);
    }

    /** {@return the defaults} */
    public static SenderOptions defaults() {
        return builder().build();
    }

    /** {@return a builder with the defaults} */
    public static Builder builder() {
        return new Builder();
    }

    /** {@return a builder with the values of these options} */
    public Builder toBuilder() {
        return new Builder()
                .linger(linger)
                .maxInFlight(maxInFlight)
                .buffer(buffer)
                .deliveryTimeout(deliveryTimeout)
                .deduplication(deduplication)
                .shutdownTimeout(shutdownTimeout)
                .defaultQueue(defaultQueue)
                .defaultAttributes(defaultAttributes);
    }

    /**
     * The limits of waiting messages, over all queues.
     *
     * @param bytes the maximum number of bytes of messages that are not settled yet, 1 MiB (the largest message) to 1 GiB; unless set 32 MiB, or a
     *     sixteenth of the maximum heap if that is less, because a message is in memory several times while a call carries it.
     *     Each message counts with its size and 512 bytes for its bookkeeping
     * @param maxBlock the maximum time that a send waits for the look-up of its queue and for space in the buffer together, 0
     *     to 1 hour; 10 s unless set. All sends of a transaction share it. {@code sendAll} waits up to this time for each queue
     *     and for the space of each message. A send never waits longer than {@code deliveryTimeout} for a look-up
     */
    public record Buffer(long bytes, Duration maxBlock) {
        /**
         * Checks the values.
         *
         * @throws InvalidOptionException if a value breaks its rule
         */
        public Buffer {
            Check.rangeOfBytes("buffer-bytes", bytes, SqsLimits.MAX_BYTES, 1 << 30);
            Check.range("max-block", maxBlock, Duration.ZERO, Duration.ofHours(1));
        }

        private static long likelyToFit() {
            return Math.clamp(Runtime.getRuntime().maxMemory() / 16, 2 * SqsLimits.MAX_BYTES, 32 << 20);
        }
    }

    /** Builds options; values that are not set keep their defaults. Not safe for use by several threads. */
    public static final class Builder {

        private Duration linger = Duration.ofMillis(5);
        private int maxInFlight = 128;
        private Buffer buffer = new Buffer(Buffer.likelyToFit(), Duration.ofSeconds(10));
        private Duration deliveryTimeout = Duration.ofMinutes(2);
        private DeduplicationIds deduplication = DeduplicationIds.content();
        private Duration shutdownTimeout = Duration.ofSeconds(5);
        private @Nullable String defaultQueue;
        private Map<String, MessageAttribute> defaultAttributes = Map.of();

        private Builder() {}

        /**
         * Sets {@link SenderOptions#linger()}.
         *
         * @param value how long a message waits for others that fill its batch, 0 to 10 s
         * @return this builder
         */
        public Builder linger(Duration value) {
            linger = value;
            return this;
        }

        /**
         * Sets {@link SenderOptions#maxInFlight()}.
         *
         * @param value the maximum number of calls in flight per queue, 1 to 10,000
         * @return this builder
         */
        public Builder maxInFlight(int value) {
            maxInFlight = value;
            return this;
        }

        /**
         * Sets {@link SenderOptions#buffer()}.
         *
         * @param value the limits of waiting messages, over all queues
         * @return this builder
         */
        public Builder buffer(Buffer value) {
            buffer = value;
            return this;
        }

        /**
         * Sets {@link SenderOptions#deliveryTimeout()}.
         *
         * @param value how long a message may take from being buffered to being accepted, retries included: 1 ms to 4
         *     minutes 50 s, since SQS would take a retry on FIFO after 5 minutes for a new message
         * @return this builder
         */
        public Builder deliveryTimeout(Duration value) {
            deliveryTimeout = value;
            return this;
        }

        /**
         * Sets {@link SenderOptions#deduplication()}.
         *
         * @param value the source of deduplication ids on FIFO queues
         * @return this builder
         */
        public Builder deduplication(DeduplicationIds value) {
            deduplication = value;
            return this;
        }

        /**
         * Sets {@link SenderOptions#shutdownTimeout()}.
         *
         * @param value how long the close of the template waits for buffered messages, up to 10 minutes
         * @return this builder
         */
        public Builder shutdownTimeout(Duration value) {
            shutdownTimeout = value;
            return this;
        }

        /**
         * Sets {@link SenderOptions#defaultQueue()}.
         *
         * @param value the queue's name, URL or ARN, or {@code null} for none
         * @return this builder
         */
        public Builder defaultQueue(@Nullable String value) {
            defaultQueue = value;
            return this;
        }

        /**
         * Sets {@link SenderOptions#defaultAttributes()}.
         *
         * @param value the attributes by name
         * @return this builder
         */
        public Builder defaultAttributes(Map<String, MessageAttribute> value) {
            defaultAttributes = value;
            return this;
        }

        /**
         * {@return the options}
         *
         * @throws InvalidOptionException if a value breaks its rule
         */
        public SenderOptions build() {
            return new SenderOptions(
                    linger,
                    maxInFlight,
                    buffer,
                    deliveryTimeout,
                    deduplication,
                    shutdownTimeout,
                    defaultQueue,
                    defaultAttributes);
        }
    }
}
