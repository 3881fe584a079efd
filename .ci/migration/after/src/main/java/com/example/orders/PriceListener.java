package com.example.orders;

import io.github.batchsqs.annotation.BatchSqsListener;
import org.springframework.stereotype.Component;

/** Reads what another system writes, with settings of its own. */
@Component
class PriceListener {

    private final Journal journal;

    PriceListener(Journal journal) {
        this.journal = journal;
    }

    @BatchSqsListener(queue = "prices")
    void handle(Price price) {
        if (price.cents() == 0 && journal.isFirst("free prices", price.article())) {
            throw new IllegalStateException(price.article() + " cannot be free");
        }
        journal.write("prices", price.article() + " costs " + price.cents());
    }
}
