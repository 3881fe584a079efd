package com.example.orders;

import io.awspring.cloud.sqs.annotation.SqsListener;
import io.awspring.cloud.sqs.listener.Visibility;
import org.springframework.stereotype.Component;

/** Chooses when a message that fails comes again. */
@Component
class ReportListener {

    private final Journal journal;

    ReportListener(Journal journal) {
        this.journal = journal;
    }

    @SqsListener("reports")
    void handle(Order order, Visibility visibility) {
        if (journal.isFirst("reports", order.number())) {
            visibility.changeTo(1);
            throw new IllegalStateException("The data of " + order.number() + " is not complete");
        }
    }
}
