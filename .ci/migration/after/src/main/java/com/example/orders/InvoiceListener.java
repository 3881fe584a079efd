package com.example.orders;

import io.github.batchsqs.annotation.BatchSqsListener;
import org.springframework.stereotype.Component;

/** Fails; see {@link SqsHooks} for what happens then. */
@Component
class InvoiceListener {

    private final Journal journal;

    InvoiceListener(Journal journal) {
        this.journal = journal;
    }

    @BatchSqsListener(queue = "invoices")
    void handle(Order order) {
        if (journal.isFirst("invoices", order.number())) {
            throw order.number() < 0 ? new OrderRejectedException(order) : new IllegalStateException("Try again");
        }
    }
}
