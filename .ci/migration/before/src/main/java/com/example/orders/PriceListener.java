package com.example.orders;

import io.awspring.cloud.sqs.annotation.SqsListener;
import org.springframework.stereotype.Component;

/** Reads what another system writes, with the options of a factory of its own. */
@Component
class PriceListener {

    private final Journal journal;

    PriceListener(Journal journal) {
        this.journal = journal;
    }

    @SqsListener(value = "prices", factory = "priceFactory")
    void handle(Price price) {
        if (price.cents() == 0 && journal.isFirst("free prices", price.article())) {
            throw new IllegalStateException(price.article() + " cannot be free");
        }
        journal.write("prices", price.article() + " costs " + price.cents());
    }
}
