/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.pull;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.codec.ConversionException;
import io.github.batchsqs.internal.client.EntryResult;
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
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A message that a receive brought. */
final class Pulled<T> extends ForwardingMessage implements PulledMessage<T> {

    private static final CompletableFuture<Void> NONE = CompletableFuture.failedFuture(new CancellationException());
    private static final EntryResult.Rejected<Void> SETTLED =
            new EntryResult.Rejected<>("MessageNotInflight", "it was acknowledged or released before", false);

    private final Queue queue;
    private final Puller puller;
    private final PayloadReader reader;
    private volatile long leaseUntil;

    /** The future of the call that settles the message; a failed one before, and if that call fails. */
    final AtomicReference<CompletableFuture<Void>> settlement = new AtomicReference<>(NONE);

    /** @param lease the visibility timeout, or {@code null} for the queue's own, which is not known */
    Pulled(ReceivedMessage message, Queue queue, Puller puller, PayloadReader reader, @Nullable Duration lease) {
        super(message);
        this.queue = queue;
        this.puller = puller;
        this.reader = reader;
        this.leaseUntil = puller.time().nanos() + (lease == null ? SqsLimits.MAX_VISIBILITY : lease).toNanos();
    }

    @Override
    @SuppressWarnings("unchecked") // the reader converts to the type that T is
    public T payload() {
        return (T) read(this::convert);
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
        return puller.payloads() == null ? attributes : PayloadPointers.withoutMarkers(attributes);
    }

    /** Reads the message with its payload, which is fetched by each call if it is stored outside of SQS. */
    private <R> R read(Function<ReceivedMessage, R> reading) {
        PayloadStore store = puller.payloads();
        try (FetchedPayloads fetched = store == null ? null : store.fetchForCaller(queue(), original())) {
            return reading.apply(fetched == null ? original() : fetched.message(original())); // a mock returns null
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new PayloadStoreException(
                    "The fetch of the payload of message " + id() + " was interrupted", true, e);
        }
    }

    private Object convert(ReceivedMessage message) {
        PayloadReader.requireInMessage(message.body(), this::attributes);
        try {
            return reader.read(message.body(), this::attributes);
        } catch (ConversionException e) {
            throw new ConversionException(
                    "The payload of message " + id() + " of the queue '" + queue() + "' cannot be read: "
                            + e.getMessage() + ". body() has its text; it stays in the queue unless it is acknowledged",
                    e);
        }
    }

    @Override
    public String queue() {
        return queue.name();
    }

    @Override
    public boolean leaseLost() {
        return puller.time().nanos() - leaseUntil >= 0;
    }

    @Override
    public CompletableFuture<Void> acknowledge() {
        return puller.settle(queue, null, List.of(this));
    }

    @Override
    public CompletableFuture<Void> release() {
        return puller.settle(queue, Duration.ZERO, List.of(this));
    }

    /** Returns whether a call with this future is to settle the message: none has, and none is about to. */
    @SuppressWarnings("ReferenceEquality") // whether the future is that of the call
    boolean isSettledBy(CompletableFuture<Void> call) {
        return settlement.updateAndGet(known -> known.isCompletedExceptionally() ? call : known) == call;
    }

    @Override
    public CompletableFuture<Void> extend(Duration visibilityTimeout) {
        Check.range("visibility-timeout", visibilityTimeout, Duration.ofSeconds(1), SqsLimits.MAX_VISIBILITY);
        if (!settlement.get().isCompletedExceptionally()) {
            return CompletableFuture.failedFuture(Puller.failure(queue, visibilityTimeout, original(), SETTLED));
        }
        long until = puller.time().nanos() + visibilityTimeout.toNanos();
        CompletableFuture<Void> extended = new CompletableFuture<>();
        puller.settle(queue, visibilityTimeout, List.of(original()), extended);
        return extended.thenRun(() -> leaseUntil = until);
    }
}
