package com.example.orders;

import io.awspring.cloud.sqs.annotation.SqsListener;
import org.springframework.stereotype.Component;

/** Nobody has created its queue. */
@Component
class AuditListener {

    private final Journal journal;

    AuditListener(Journal journal) {
        this.journal = journal;
    }

    @SqsListener("audits")
    void handle(String text) {
        journal.write("audits", text);
    }
}
