package com.example.orders;

import io.awspring.cloud.sqs.annotation.SqsListener;
import io.awspring.cloud.sqs.listener.acknowledgement.Acknowledgement;
import org.springframework.stereotype.Component;

/** Acknowledges by itself; what it does not acknowledge comes again when its visibility timeout ends. */
@Component
class ApprovalListener {

    private final Journal journal;

    ApprovalListener(Journal journal) {
        this.journal = journal;
    }

    @SqsListener(value = "approvals", acknowledgementMode = "MANUAL")
    void handle(Order order, Acknowledgement acknowledgement) {
        if (!journal.isFirst("approvals", order.number())) {
            acknowledgement.acknowledge();
        }
    }
}
