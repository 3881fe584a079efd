/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.once;

import io.github.batchsqs.send.BatchSqsOperations;
import io.github.batchsqs.send.SendResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** An application whose transactions insert one row and send messages; it has no listener. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
class SenderApplication {

    /** As many bytes as the messages of the inbox. */
    static final String BODY = "abcdefghij".repeat(10);

    private final Work work;
    private final TransactionTemplate transactions;
    private final BatchSqsOperations sender;

    SenderApplication(JdbcTemplate jdbc, PlatformTransactionManager transactions, BatchSqsOperations sender) {
        this.work = new Work(jdbc);
        this.transactions = new TransactionTemplate(transactions);
        this.sender = sender;
    }

    /** Returns when the transaction has committed, with the futures of its messages. */
    List<CompletableFuture<SendResult>> transaction(String queue, long number, int messages) {
        List<CompletableFuture<SendResult>> sent = new ArrayList<>(messages);
        transactions.executeWithoutResult(status -> {
            work.insert(Long.toString(number), BODY);
            for (int i = 0; i < messages; i++) {
                sent.add(sender.send(queue, BODY));
            }
        });
        return sent;
    }
}
