/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.pull;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.codec.ConversionException;
import io.github.batchsqs.internal.codec.ForwardingMessage;
import io.github.batchsqs.internal.codec.PayloadReader;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.PayloadPointers;
import io.github.batchsqs.internal.support.SqsLimits;
import io.github.batchsqs.payload.FetchedPayloads;
import io.github.batchsqs.payload.PayloadStore;
import io.github.batchsqs.payload.PayloadStoreException;
import io.github.batchsqs.pull.PulledMessage;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A message that a receive brought. */
final class Pulled<T> extends ForwardingMessage implements PulledMessage<T> {

    private static final CompletableFuture<Void> UNSETTLED =
            CompletableFuture.failedFuture(new CancellationException());

    private final PullCalls calls;
    private final PayloadReader reader;
    private final AtomicReference<CompletableFuture<Void>> settlement = new AtomicReference<>(UNSETTLED);
    private volatile @Nullable Object payload;
    private volatile long leaseUntil;

    /** @param lease the visibility timeout, or {@code null} for the queue's own, which is not known */
    Pulled(ReceivedMessage message, PullCalls calls, PayloadReader reader, @Nullable Duration lease) {
        super(message);
        this.calls = calls;
        this.reader = reader;
        this.leaseUntil = calls.time.nanos() + (lease == null ? SqsLimits.MAX_VISIBILITY : lease).toNanos();
    }

    @Override
    @SuppressWarnings("unchecked") // the reader converts to the type that T is
    public T payload() {
        Object known = payload;
        if (known == null) {
            known = read(this::convert);
            payload = calls.payloads == null ? known : null; // it may be large
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
        return calls.payloads == null ? attributes : PayloadPointers.withoutMarkers(attributes);
    }

    /** Reads the message with its payload, which is fetched by each call if it is stored outside of SQS. */
    private <R> R read(Function<ReceivedMessage, R> reading) {
        PayloadStore store = calls.payloads;
        if (store == null) {
            return reading.apply(original());
        }
        try (FetchedPayloads fetched = store.fetchForCaller(queue(), original())) {
            return reading.apply(fetched == null ? original() : fetched.message(original())); // null: a mock in a test
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PayloadStoreException(
                    "The fetch of the payload of message " + id() + " was interrupted", true, e);
        }
    }

    private Object convert(ReceivedMessage message) {
        if (calls.payloads == null && PayloadPointers.isPointer(message.body(), this::attributes)) {
            throw new PayloadStoreException(PayloadPointers.NO_STORE, false, null);
        }
        try {
            return reader.read(message.body(), this::attributes);
        } catch (ConversionException e) {
            throw new ConversionException(
                    e.typeName(),
                    "The payload of message " + id() + " of the queue '" + queue() + "' cannot be read: "
                            + e.getMessage() + ". body() has its text; it stays in the queue unless it is acknowledged",
                    e);
        }
    }

    @Override
    public String queue() {
        return calls.queue.name();
    }

    @Override
    public boolean leaseLost() {
        return calls.time.nanos() - leaseUntil >= 0;
    }

    @Override
    public CompletableFuture<Void> acknowledge() {
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
        if (!settlement.get().isCompletedExceptionally()) {
            return CompletableFuture.failedFuture(new QueueCallException(
                    "ChangeMessageVisibility",
                    "MessageNotInflight",
                    "The message " + id() + " of the queue '" + queue()
                            + "' was acknowledged or released before: its visibility timeout stays as it is",
                    false,
                    null));
        }
        CompletableFuture<Void> extended = new CompletableFuture<>();
        long now = calls.time.nanos();
        calls.settle(original(), visibilityTimeout, extended);
        return extended.thenRun(() -> leaseUntil = now + visibilityTimeout.toNanos());
    }

    /** Settles the message unless that has succeeded or is under way. */
    @SuppressWarnings("ReferenceEquality") // whether this call put its own future there
    private CompletableFuture<Void> settle(@Nullable Duration timeout) {
        CompletableFuture<Void> own = new CompletableFuture<>();
        CompletableFuture<Void> first =
                settlement.updateAndGet(known -> known.isCompletedExceptionally() ? own : known);
        if (first == own) {
            calls.settle(original(), timeout, own);
        }
        return first;
    }

    /** Contains the id, never the payload: it may be confidential. */
    @Override
    public String toString() {
        return "PulledMessage[" + id() + " from " + queue() + "]";
    }
}
