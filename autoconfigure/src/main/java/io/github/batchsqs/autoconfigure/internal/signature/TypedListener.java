/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.signature;

import io.github.batchsqs.BatchListener;
import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.MessageBatch;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.internal.receive.invoke.PartitionedListener;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Calls the method for the payloads of a batch, which are all of its type. */
final class TypedListener implements PartitionedListener<Object> {

    private final TypedHandlers handlers;
    private final Map<Signature, BatchListener<Object>> listeners;

    /** @param listeners the listener of each method */
    TypedListener(TypedHandlers handlers, Map<Signature, BatchListener<Object>> listeners) {
        this.handlers = handlers;
        this.listeners = listeners;
    }

    /** Returns the method, or {@code null} if it takes one message at a time. */
    @Override
    public @Nullable Object kind(Object payload) {
        Signature handler = handlers.require(TypedHandlers.published(payload));
        return handler.single() ? null : handler;
    }

    @Override
    public BatchOutcome onBatch(MessageBatch<Object> batch) throws Exception {
        Signature handler = handler(batch.messages().getFirst());
        boolean divided = !handler.single() || batch.size() == 1;
        for (SqsMessage<Object> message : batch) {
            divided &= handler(message) == handler;
        }
        if (!divided) { // a wrapper hides from the engine what this listener is
            throw new IllegalStateException("A batch was not divided by payload type");
        }
        return Objects.requireNonNull(listeners.get(handler)).onBatch(batch);
    }

    private Signature handler(SqsMessage<Object> message) {
        return handlers.require(TypedHandlers.published(message.payload()));
    }
}
