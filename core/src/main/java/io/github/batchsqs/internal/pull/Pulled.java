/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.pull;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.client.ForwardingMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.codec.ConversionException;
import io.github.batchsqs.codec.PayloadReader;
import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.PayloadPointers;
import io.github.batchsqs.internal.support.SqsLimits;
import io.github.batchsqs.payload.FetchedPayloads;
import io.github.batchsqs.payload.PayloadStore;
import io.github.batchsqs.payload.PayloadStoreException;
import io.github.batchsqs.pull.PulledMessage;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A message that a receive brought. */
final class Pulled<T> extends ForwardingMessage implements PulledMessage<T> {

    /** See {@code Delivery}: SQS counts whole seconds from when a call arrives. */
    private static final Duration LONGEST_VISIBILITY = SqsLimits.MAX_VISIBILITY.minusMinutes(1);

    private static final String HAS_TEXT = ". body() has its text; it";
    private static final String HAS_NO_TEXT = ". It";

    private final Receive receive;
    private final AtomicReference<@Nullable CompletableFuture<Void>> settlement = new AtomicReference<>();
    private volatile @Nullable Object payload;
    private volatile boolean acknowledged;
    private volatile boolean leaseKnown;
    private volatile long leaseUntil;

    /**
     * What the messages of one call have in common.
     *
     * @param typeName the name of the payload type
     * @param payloads stores payloads outside of SQS, or {@code null} if all are in the messages
     * @param receivedAt when SQS responded
     * @param lease the visibility timeout, or {@code null} for the queue's own
     */
    record Receive(
            Queue queue,
            PayloadReader reader,
            String typeName,
            Settlements settlements,
            @Nullable PayloadStore payloads,
            TimeSource time,
            long receivedAt,
            @Nullable Duration lease) {}

    Pulled(ReceivedMessage message, Receive receive) {
        super(message);
        this.receive = receive;
        Duration lease = receive.lease();
        if (lease != null) {
            leased(receive.receivedAt(), lease);
        }
    }

    @Override
    @SuppressWarnings("unchecked") // the reader converts to the type that T is
    public T payload() {
        Object known = payload;
        if (known == null) {
            try {
                known = read(this::convert);
            } catch (PayloadStoreException e) {
                throw e.retryable()
                        ? e
                        : unreadable(receive.typeName(), String.valueOf(e.getMessage()), HAS_NO_TEXT, e);
            }
        }
        return (T) known;
    }

    @Override
    public String body() {
        return read(ReceivedMessage::body);
    }

    @Override
    public Object nativeMessage() {
        return read(ReceivedMessage::nativeMessage);
    }

    @Override
    public Map<String, MessageAttribute> attributes() {
        Map<String, MessageAttribute> attributes = super.attributes();
        return receive.payloads() == null ? attributes : PayloadPointers.withoutMarkers(attributes);
    }

    /** Reads the message with its payload, which is fetched by each call if it is stored outside of SQS: it may be large. */
    private <R> R read(Function<ReceivedMessage, R> reading) {
        PayloadStore store = receive.payloads();
        if (store == null) {
            return reading.apply(original());
        }
        try (FetchedPayloads fetched = store.fetchForCaller(queue(), original())) {
            return reading.apply(fetched == null ? original() : fetched.message(original())); // null: a mock in a test
        } catch (PayloadStoreException e) {
            throw acknowledged && !e.retryable()
                    ? new PayloadStoreException(
                            e.getMessage() + "; message " + id()
                                    + " was acknowledged, which deletes its payload: read it before",
                            false,
                            e)
                    : e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PayloadStoreException(
                    "The fetch of the payload of message " + id() + " of the queue '" + queue() + "' was interrupted",
                    true,
                    e);
        }
    }

    /** Converts the payload; one that was in the message is kept. */
    private Object convert(ReceivedMessage message) {
        boolean inMessage = message.equals(original());
        if (inMessage && receive.payloads() == null && PayloadPointers.isPointer(message.body(), this::attributes)) {
            throw new PayloadStoreException(PayloadPointers.NO_STORE, false, null);
        }
        Object converted = converted(message);
        if (inMessage) {
            payload = converted;
        }
        return converted;
    }

    private Object converted(ReceivedMessage message) {
        try {
            return receive.reader().read(message.body(), this::attributes);
        } catch (ConversionException e) {
            throw unreadable(e.typeName(), String.valueOf(e.getMessage()), HAS_TEXT, e);
        } catch (RuntimeException | StackOverflowError e) { // of the codec or the payload type
            throw unreadable(receive.typeName(), e.getClass().getName(), HAS_TEXT, e);
        }
    }

    private ConversionException unreadable(String typeName, String why, String subject, Throwable cause) {
        return new ConversionException(
                typeName,
                "The payload of message " + id() + " of the queue '" + queue() + "' cannot be read: " + why + subject
                        + " stays in the queue unless it is acknowledged",
                cause);
    }

    @Override
    public String queue() {
        return receive.queue().name();
    }

    @Override
    public boolean leaseLost() {
        return leaseKnown && receive.time().nanos() - leaseUntil >= 0;
    }

    @Override
    public CompletableFuture<Void> acknowledge() {
        acknowledged = true;
        return settle(null);
    }

    @Override
    public CompletableFuture<Void> release(Duration after) {
        Check.range("after", after, Duration.ZERO, SqsLimits.MAX_VISIBILITY);
        return settle(after);
    }

    @Override
    public CompletableFuture<Void> extend(Duration visibilityTimeout) {
        Check.range("visibility-timeout", visibilityTimeout, Duration.ofSeconds(1), SqsLimits.MAX_VISIBILITY);
        CompletableFuture<Void> settled = settlement.get();
        if (settled != null && !settled.isCompletedExceptionally()) {
            return CompletableFuture.failedFuture(
                    new BatchSqsException(
                            "The message " + id() + " of the queue '" + queue()
                                    + "' was acknowledged or released before, so that its visibility timeout cannot be extended"));
        }
        CompletableFuture<Void> extended = new CompletableFuture<>();
        Duration timeout = possible(visibilityTimeout);
        long now = receive.time().nanos();
        add(timeout, extended);
        return extended.thenRun(() -> leased(now, timeout));
    }

    /** Settles the message unless that has succeeded or is under way. */
    private CompletableFuture<Void> settle(@Nullable Duration timeout) {
        CompletableFuture<Void> own = new CompletableFuture<>();
        CompletableFuture<Void> known = settlement.get();
        while (known == null || known.isCompletedExceptionally()) {
            if (settlement.compareAndSet(known, own)) {
                add(timeout == null ? null : possible(timeout), own);
                return own;
            }
            known = settlement.get();
        }
        return known;
    }

    /** Changes keep their order; deletes wait for nothing. */
    private void add(@Nullable Duration timeout, CompletableFuture<Void> future) {
        String group = receive.queue().fifo() ? groupId() : null;
        String key = timeout == null ? null : receive.queue().url() + '\n' + (group == null ? id() : group);
        receive.settlements().add(new Settling(receive.queue(), original(), timeout, future), key);
    }

    private Duration possible(Duration timeout) {
        Duration longest = LONGEST_VISIBILITY.minusNanos(receive.time().nanos() - receive.receivedAt());
        Duration limited = timeout.compareTo(longest) < 0 ? timeout : longest;
        return limited.isNegative() ? Duration.ZERO : limited;
    }

    private void leased(long from, Duration lease) {
        leaseUntil = from + lease.toNanos();
        leaseKnown = true;
    }

    /** Contains the id, never the payload: it may be confidential. */
    @Override
    public String toString() {
        return "PulledMessage[" + id() + " from " + queue() + "]";
    }
}
