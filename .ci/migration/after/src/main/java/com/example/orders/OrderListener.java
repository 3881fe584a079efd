package com.example.orders;

import io.github.batchsqs.annotation.BatchSqsListener;
import java.util.List;
import org.springframework.messaging.Message;
import org.springframework.stereotype.Component;

/** A batch, with headers. */
@Component
class OrderListener {

    private final Journal journal;

    OrderListener(Journal journal) {
        this.journal = journal;
    }

    @BatchSqsListener(
            queue = "orders",
            id = "orders",
            batchSize = "50",
            batchLinger = "200ms",
            concurrency = "4",
            visibilityTimeout = "60s",
            acknowledgeMode = "on-success")
    void handle(List<Message<Order>> orders) {
        for (Message<Order> order : orders) {
            String tenant = order.getHeaders().get("tenant", String.class);
            journal.write("orders", order.getPayload().number() + " of " + tenant);
        }
    }
}
