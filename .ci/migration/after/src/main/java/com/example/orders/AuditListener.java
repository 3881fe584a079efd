package com.example.orders;

import io.github.batchsqs.annotation.BatchSqsListener;
import org.springframework.stereotype.Component;

/** Nobody has created its queue. */
@Component
class AuditListener {

    private final Journal journal;

    AuditListener(Journal journal) {
        this.journal = journal;
    }

    @BatchSqsListener(queue = "audits")
    void handle(String text) {
        journal.write("audits", text);
    }
}
