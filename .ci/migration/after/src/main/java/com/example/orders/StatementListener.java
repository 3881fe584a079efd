package com.example.orders;

import io.github.batchsqs.Acknowledgement;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.annotation.BatchSqsListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Component;

/** Acknowledges a part of a batch: even numbers at once, others when they come again. */
@Component
class StatementListener {

    private final Journal journal;

    StatementListener(Journal journal) {
        this.journal = journal;
    }

    @BatchSqsListener(queue = "statements", acknowledgeMode = "manual")
    void handle(List<SqsMessage<Order>> orders, Acknowledgement acknowledgement) {
        List<SqsMessage<Order>> done = new ArrayList<>();
        List<SqsMessage<Order>> again = new ArrayList<>();
        for (SqsMessage<Order> order : orders) {
            int number = order.payload().number();
            boolean first = journal.isFirst("statements", number);
            (first && number % 2 != 0 ? again : done).add(order);
        }
        acknowledgement.acknowledge(done);
        acknowledgement.nack(again, Duration.ofSeconds(1));
    }
}
