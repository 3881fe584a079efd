package com.example.orders;

import io.github.batchsqs.annotation.BatchSqsListener;
import org.springframework.stereotype.Component;

/** Payloads that are in S3. */
@Component
class DocumentListener {

    private final Journal journal;

    DocumentListener(Journal journal) {
        this.journal = journal;
    }

    @BatchSqsListener(queue = "documents")
    void handle(Document document) {
        journal.write("documents", document.name() + ": " + document.text().length());
    }
}
