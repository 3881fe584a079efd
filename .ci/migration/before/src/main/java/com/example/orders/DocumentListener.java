package com.example.orders;

import io.awspring.cloud.sqs.annotation.SqsListener;
import org.springframework.stereotype.Component;

/** Payloads that are in S3. */
@Component
class DocumentListener {

    private final Journal journal;

    DocumentListener(Journal journal) {
        this.journal = journal;
    }

    @SqsListener("documents")
    void handle(Document document) {
        journal.write("documents", document.name() + ": " + document.text().length());
    }
}
