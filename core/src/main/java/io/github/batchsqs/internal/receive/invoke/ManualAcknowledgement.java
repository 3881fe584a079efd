/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import io.github.batchsqs.Acknowledgement;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.ManualSettlement;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The acknowledgement of one batch: by the handler in manual mode; elsewhere it is refused, because the outcome settles the messages. */
final class ManualAcknowledgement implements Acknowledgement {

    /** For all batches that are settled by their outcomes. */
    static final ManualAcknowledgement REFUSED = new ManualAcknowledgement(List.of(), null);

    private final Map<String, Delivery> batch = new LinkedHashMap<>();
    private final @Nullable ManualSettlement settlement;

    /** @param settlement {@code null} if the outcome of the invocation settles the messages */
    ManualAcknowledgement(List<Delivery> deliveries, @Nullable ManualSettlement settlement) {
        deliveries.forEach(delivery -> batch.put(delivery.message().id(), delivery));
        this.settlement = settlement;
    }

    @Override
    public CompletableFuture<Void> acknowledge() {
        return settlement().delete(List.copyOf(batch.values()));
    }

    @Override
    public CompletableFuture<Void> acknowledge(Collection<? extends SqsMessage<?>> messages) {
        return settlement().delete(find(messages));
    }

    @Override
    public CompletableFuture<Void> nack(Duration after) {
        return settlement().release(List.copyOf(batch.values()), after);
    }

    @Override
    public CompletableFuture<Void> nack(Collection<? extends SqsMessage<?>> messages, Duration after) {
        return settlement().release(find(messages), after);
    }

    private ManualSettlement settlement() {
        if (settlement == null) {
            throw new IllegalStateException(
                    "Messages of this listener are settled by the outcome of the invocation; set"
                            + " acknowledge.mode to manual to settle them manually");
        }
        return settlement;
    }

    private List<Delivery> find(Collection<? extends SqsMessage<?>> messages) {
        return messages.stream().map(this::find).toList();
    }

    private Delivery find(SqsMessage<?> message) {
        Delivery delivery = batch.get(message.id());
        if (delivery == null) {
            throw new IllegalArgumentException(
                    "Message " + message.id() + " is not of this batch; settle it through its own batch");
        }
        return delivery;
    }
}
