package com.example.orders;

import io.github.batchsqs.Visibility;
import io.github.batchsqs.annotation.BatchSqsListener;
import java.time.Duration;
import org.springframework.stereotype.Component;

/** Chooses when a message that fails comes again. */
@Component
class ReportListener {

    private final Journal journal;

    ReportListener(Journal journal) {
        this.journal = journal;
    }

    @BatchSqsListener(queue = "reports")
    void handle(Order order, Visibility visibility) {
        if (journal.isFirst("reports", order.number())) {
            visibility.changeTo(Duration.ofSeconds(1));
            throw new IllegalStateException("The data of " + order.number() + " is not complete");
        }
    }
}
