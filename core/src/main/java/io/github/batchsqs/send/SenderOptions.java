/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import io.github.batchsqs.Backoff;
import io.github.batchsqs.Check;
import io.github.batchsqs.InvalidOptionException;
import java.time.Duration;
import java.util.Objects;

/**
 * How messages are sent. Immutable; {@link #builder()} starts from the defaults.
 *
 * <p>Each value is checked when the options are made; an {@link InvalidOptionException} names the setting (without its
 * prefix), the rule, the value and the remedy.
 *
 * @param linger how long a message waits for others to fill its batch, 0 to 10 s; 5 ms unless set
 * @param maxBatchBytes the most bytes of a call, 1 KiB to 1 MiB; 1 MiB unless set. Also the limit of a single message.
 *     Where the queue's {@code MaximumMessageSize} is lower, SQS refuses the larger messages one by one
 * @param maxInFlight the most calls at once per queue, 1 to 10,000; 128 unless set. Each needs a connection
 * @param buffer how much waits, over all queues
 * @param deliveryTimeout how long a message may take from being buffered to being accepted, retries included: 1 ms to just
 *     below 5 minutes, after which SQS would take a retry on FIFO for a new message; 2 minutes unless set
 * @param retry the delay before a refused entry or a failed call is tried again; 100 ms, doubling to 10 s, unless set
 * @param deduplication where deduplication ids come from on FIFO queues; {@link DeduplicationIds#content()} unless set
 * @param shutdownTimeout how long {@link BatchSqsTemplate#close()} waits for what is buffered; 5 s unless set, so that with
 *     the listeners' 25 s it stays within Kubernetes' 30 s
 */
public record SenderOptions(
        Duration linger,
        long maxBatchBytes,
        int maxInFlight,
        Buffer buffer,
        Duration deliveryTimeout,
        Backoff retry,
        DeduplicationIds deduplication,
        Duration shutdownTimeout) {

    /** SQS: the most bytes of a message, and of a call. */
    public static final long MAX_BYTES = 1 << 20;

    /** SQS: how long a deduplication id is remembered. */
    public static final Duration DEDUPLICATION_WINDOW = Duration.ofMinutes(5);

    public SenderOptions {
        Check.range("linger", linger, Duration.ZERO, Duration.ofSeconds(10));
        Check.range("max-batch-bytes", maxBatchBytes, 1 << 10, MAX_BYTES);
        Check.range("max-in-flight", maxInFlight, 1, 10_000);
        Check.that(
                buffer.bytes() >= maxBatchBytes,
                "buffer-bytes",
                "must be at least max-batch-bytes (" + maxBatchBytes + ")",
                buffer.bytes(),
                "raise it, or lower max-batch-bytes");
        Check.that(
                deliveryTimeout.isPositive() && deliveryTimeout.compareTo(DEDUPLICATION_WINDOW) < 0,
                "delivery-timeout",
                "must be positive and below 5m, because SQS forgets deduplication ids after that",
                Check.text(deliveryTimeout),
                "set a value such as 2m");
        Check.that(
                deliveryTimeout.compareTo(linger) > 0,
                "delivery-timeout",
                "must be above linger (" + Check.text(linger) + ")",
                Check.text(deliveryTimeout),
                "raise it, or lower linger");
        Objects.requireNonNull(deduplication, "deduplication");
        Check.range("shutdown-timeout", shutdownTimeout, Duration.ZERO, Duration.ofMinutes(10));
    }

    /** The defaults. */
    public static SenderOptions defaults() {
        return builder().build();
    }

    /** The defaults, to be changed. */
    public static Builder builder() {
        return new Builder();
    }

    /** A builder that starts from these options. */
    public Builder toBuilder() {
        return new Builder()
                .linger(linger)
                .maxBatchBytes(maxBatchBytes)
                .maxInFlight(maxInFlight)
                .buffer(buffer)
                .deliveryTimeout(deliveryTimeout)
                .retry(retry)
                .deduplication(deduplication)
                .shutdownTimeout(shutdownTimeout);
    }

    /**
     * How much waits, over all queues.
     *
     * @param bytes the most bytes of messages that are not settled yet, up to 1 GiB; 32 MiB unless set. Each message
     *     counts with its size and {@value SendBuffer#OVERHEAD} bytes for its bookkeeping
     * @param maxBlock how long a send waits for room; 10 s unless set
     */
    public record Buffer(long bytes, Duration maxBlock) {
        public Buffer {
            Check.range("buffer-bytes", bytes, 1 << 10, 1 << 30);
            Check.range("max-block", maxBlock, Duration.ZERO, Duration.ofHours(1));
        }
    }

    /** Collects options; what is not set keeps its default. */
    public static final class Builder {

        private Duration linger = Duration.ofMillis(5);
        private long maxBatchBytes = MAX_BYTES;
        private int maxInFlight = 128;
        private Buffer buffer = new Buffer(32 << 20, Duration.ofSeconds(10));
        private Duration deliveryTimeout = Duration.ofMinutes(2);
        private Backoff retry = Backoff.exponential(Duration.ofMillis(100), Duration.ofSeconds(10));
        private DeduplicationIds deduplication = DeduplicationIds.content();
        private Duration shutdownTimeout = Duration.ofSeconds(5);

        private Builder() {}

        /** See {@link SenderOptions#linger()}. */
        public Builder linger(Duration value) {
            linger = value;
            return this;
        }

        /** See {@link SenderOptions#maxBatchBytes()}. */
        public Builder maxBatchBytes(long value) {
            maxBatchBytes = value;
            return this;
        }

        /** See {@link SenderOptions#maxInFlight()}. */
        public Builder maxInFlight(int value) {
            maxInFlight = value;
            return this;
        }

        /** See {@link SenderOptions#buffer()}. */
        public Builder buffer(Buffer value) {
            buffer = value;
            return this;
        }

        /** See {@link SenderOptions#deliveryTimeout()}. */
        public Builder deliveryTimeout(Duration value) {
            deliveryTimeout = value;
            return this;
        }

        /** See {@link SenderOptions#retry()}. */
        public Builder retry(Backoff value) {
            retry = value;
            return this;
        }

        /** See {@link SenderOptions#deduplication()}. */
        public Builder deduplication(DeduplicationIds value) {
            deduplication = value;
            return this;
        }

        /** See {@link SenderOptions#shutdownTimeout()}. */
        public Builder shutdownTimeout(Duration value) {
            shutdownTimeout = value;
            return this;
        }

        /**
         * The options.
         *
         * @throws InvalidOptionException if a value breaks its rule
         */
        public SenderOptions build() {
            return new SenderOptions(
                    linger, maxBatchBytes, maxInFlight, buffer, deliveryTimeout, retry, deduplication, shutdownTimeout);
        }
    }
}
