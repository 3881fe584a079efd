/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.once;

import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.annotation.BatchSqsListener;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** An application with two listeners, whose handlers do the same work in a transaction: one without the inbox, one with it. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class InboxApplication {

    static final String WITHOUT = "without";
    static final String INBOX = "inbox";

    private final Work work;
    private final TransactionTemplate transactions;
    private final LongAdder invocations = new LongAdder();

    InboxApplication(JdbcTemplate jdbc, PlatformTransactionManager transactions) {
        this.work = new Work(jdbc);
        this.transactions = new TransactionTemplate(transactions);
    }

    @BatchSqsListener(id = WITHOUT, queue = WITHOUT)
    void without(List<SqsMessage<String>> messages) {
        transactions.executeWithoutResult(status -> work.insert(messages));
        invocations.increment();
    }

    @BatchSqsListener(id = INBOX, queue = INBOX, inbox = "true")
    void inbox(List<SqsMessage<String>> messages) {
        work.insert(messages);
        invocations.increment();
    }

    /** Returns the number of invocations since the last call. */
    long invocations() {
        return invocations.sumThenReset();
    }
}
