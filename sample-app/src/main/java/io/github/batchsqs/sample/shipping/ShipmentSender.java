/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.shipping;

import io.github.batchsqs.sample.settings.SampleProperties;
import io.github.batchsqs.send.BatchSqsOperations;
import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.send.SendResult;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.springframework.stereotype.Component;

/**
 * Sends shipments: the customer is the message group, so each customer's parcels stay in order, and the order's number is
 * the deduplication id, so an order that is handled twice within five minutes is shipped once.
 */
@Component
public class ShipmentSender {

    private final BatchSqsOperations sqs;
    private final String queue;

    ShipmentSender(BatchSqsOperations sqs, SampleProperties properties) {
        this.sqs = sqs;
        this.queue = properties.queues().shipments();
    }

    /**
     * Sends them with the transaction of the thread: they become rows of the outbox, which SQS gets after the commit. Returns
     * those that were refused at once: the numbers of their orders, and why.
     */
    public Map<Long, Throwable> send(Collection<Shipment> shipments) {
        Map<Long, Throwable> failures = new HashMap<>();
        for (Shipment shipment : shipments) {
            CompletableFuture<SendResult> sent = sqs.send(message(shipment));
            if (sent.isCompletedExceptionally()) {
                failures.put(shipment.order(), sent.exceptionNow());
            }
        }
        return failures;
    }

    private OutgoingMessage message(Shipment shipment) {
        return OutgoingMessage.builder(queue, shipment)
                .groupId(shipment.customer())
                .deduplicationId("order-" + shipment.order())
                .build();
    }
}
