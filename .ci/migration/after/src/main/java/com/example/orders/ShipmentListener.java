package com.example.orders;

import io.github.batchsqs.annotation.BatchSqsListener;
import io.awspring.cloud.sqs.listener.SqsHeaders;
import org.springframework.messaging.handler.annotation.Header;
import org.springframework.stereotype.Component;

/** A FIFO queue: each customer is a message group. */
@Component
class ShipmentListener {

    private final Journal journal;

    ShipmentListener(Journal journal) {
        this.journal = journal;
    }

    @BatchSqsListener(queue = "shipments.fifo")
    void handle(Order order, @Header(SqsHeaders.MessageSystemAttributes.SQS_MESSAGE_GROUP_ID_HEADER) String customer) {
        if (journal.isFirst("shipments", order.number()) && order.number() == 1) {
            throw new IllegalStateException("The first shipment fails once");
        }
        journal.write("shipped to " + customer, order.number());
    }
}
