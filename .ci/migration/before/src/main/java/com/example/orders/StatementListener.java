package com.example.orders;

import io.awspring.cloud.sqs.annotation.SqsListener;
import io.awspring.cloud.sqs.listener.acknowledgement.BatchAcknowledgement;
import java.util.ArrayList;
import java.util.List;
import org.springframework.messaging.Message;
import org.springframework.stereotype.Component;

/** Acknowledges a part of a batch: even numbers at once, others when they come again. */
@Component
class StatementListener {

    private final Journal journal;

    StatementListener(Journal journal) {
        this.journal = journal;
    }

    @SqsListener(value = "statements", acknowledgementMode = "MANUAL")
    void handle(List<Message<Order>> orders, BatchAcknowledgement<Order> acknowledgement) {
        List<Message<Order>> done = new ArrayList<>();
        for (Message<Order> order : orders) {
            int number = order.getPayload().number();
            if (!journal.isFirst("statements", number) || number % 2 == 0) {
                done.add(order);
            }
        }
        acknowledgement.acknowledge(done);
    }
}
