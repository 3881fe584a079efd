package com.example.orders;

import io.github.batchsqs.Acknowledgement;
import io.github.batchsqs.annotation.BatchSqsListener;
import java.time.Duration;
import org.springframework.stereotype.Component;

/** Acknowledges by itself; what it does not acknowledge comes again because it returns it. */
@Component
class ApprovalListener {

    private final Journal journal;

    ApprovalListener(Journal journal) {
        this.journal = journal;
    }

    @BatchSqsListener(queue = "approvals", acknowledgeMode = "manual")
    void handle(Order order, Acknowledgement acknowledgement) {
        if (!journal.isFirst("approvals", order.number())) {
            acknowledgement.acknowledge();
        } else {
            acknowledgement.nack(Duration.ofSeconds(1));
        }
    }
}
