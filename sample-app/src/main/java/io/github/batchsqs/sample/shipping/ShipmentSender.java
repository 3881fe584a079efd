/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.shipping;

import io.github.batchsqs.sample.settings.SampleProperties;
import io.github.batchsqs.send.BatchSqsOperations;
import io.github.batchsqs.send.OutgoingMessage;
import io.github.batchsqs.send.SendFailedException;
import io.github.batchsqs.send.SendResults;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

    /** Sends them, waits for all answers, and tells which failed: the numbers of their orders, and why. */
    public Map<Long, SendFailedException> send(Collection<Shipment> shipments) throws InterruptedException {
        List<OutgoingMessage> messages = shipments.stream().map(this::message).toList();
        Map<Long, SendFailedException> failures = new HashMap<>();
        for (SendResults.Failed failed : sqs.sendAll(messages).failed()) {
            failures.put(((Shipment) failed.message().payload()).order(), failed.cause());
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
