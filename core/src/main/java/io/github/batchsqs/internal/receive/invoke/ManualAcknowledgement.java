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

/** The acknowledgement of one batch in manual mode. */
final class ManualAcknowledgement implements Acknowledgement {

    private final Map<String, Delivery> batch = new LinkedHashMap<>();
    private final ManualSettlement settlement;

    ManualAcknowledgement(List<Delivery> deliveries, ManualSettlement settlement) {
        deliveries.forEach(delivery -> batch.put(delivery.message().id(), delivery));
        this.settlement = settlement;
    }

    @Override
    public CompletableFuture<Void> acknowledge() {
        return settlement.delete(List.copyOf(batch.values()));
    }

    @Override
    public CompletableFuture<Void> acknowledge(Collection<? extends SqsMessage<?>> messages) {
        return settlement.delete(find(messages));
    }

    @Override
    public CompletableFuture<Void> nack(Duration after) {
        return settlement.release(List.copyOf(batch.values()), after);
    }

    @Override
    public CompletableFuture<Void> nack(Collection<? extends SqsMessage<?>> messages, Duration after) {
        return settlement.release(find(messages), after);
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
