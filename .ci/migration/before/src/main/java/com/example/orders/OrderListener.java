package com.example.orders;

import io.awspring.cloud.sqs.annotation.SqsListener;
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

    @SqsListener(
            queueNames = "orders",
            id = "orders",
            maxConcurrentMessages = "200",
            maxMessagesPerPoll = "50",
            pollTimeoutSeconds = "2",
            messageVisibilitySeconds = "60",
            acknowledgementMode = "ON_SUCCESS")
    void handle(List<Message<Order>> orders) {
        for (Message<Order> order : orders) {
            String tenant = order.getHeaders().get("tenant", String.class);
            journal.write("orders", order.getPayload().number() + " of " + tenant);
        }
    }
}
