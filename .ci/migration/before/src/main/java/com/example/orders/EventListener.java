package com.example.orders;

import io.awspring.cloud.sqs.annotation.SqsHandler;
import io.awspring.cloud.sqs.annotation.SqsListener;
import org.springframework.stereotype.Component;

/** A method for each payload type. */
@Component
@SqsListener("events")
class EventListener {

    private final Journal journal;

    EventListener(Journal journal) {
        this.journal = journal;
    }

    @SqsHandler
    void placed(OrderPlaced event) {
        journal.write("events", "placed " + event.number());
    }

    @SqsHandler
    void cancelled(OrderCancelled event) {
        journal.write("events", "cancelled " + event.number() + ": " + event.reason());
    }

    @SqsHandler(isDefault = true)
    void other(Object event) {
        journal.write("events", "other: " + event);
    }
}
