package com.example.orders;

import io.github.batchsqs.annotation.BatchSqsHandler;
import io.github.batchsqs.annotation.BatchSqsListener;
import org.springframework.stereotype.Component;

/** A method for each payload type. */
@Component
@BatchSqsListener(queue = "events")
class EventListener {

    private final Journal journal;

    EventListener(Journal journal) {
        this.journal = journal;
    }

    @BatchSqsHandler
    void placed(OrderPlaced event) {
        journal.write("events", "placed " + event.number());
    }

    @BatchSqsHandler
    void cancelled(OrderCancelled event) {
        journal.write("events", "cancelled " + event.number() + ": " + event.reason());
    }

    @BatchSqsHandler(isDefault = true)
    void other(String event) {
        journal.write("events", "other: " + event);
    }
}
