/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.orders;

import io.github.batchsqs.SqsMessage;
import java.util.Collection;
import java.util.concurrent.atomic.LongAdder;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.stereotype.Repository;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The orders in the shop's database. The primary key of the table is the number: no order is stored twice. */
@Repository
class OrderStore {

    private static final String INSERT = "INSERT INTO shop_order (number, customer, cents) VALUES (?, ?, ?)";

    private final JdbcOperations jdbc;
    private final LongAdder orders = new LongAdder();
    private final LongAdder cents = new LongAdder();

    OrderStore(JdbcOperations jdbc) {
        this.jdbc = jdbc;
    }

    /** Stores orders in the transaction of the thread, and counts them when it has committed. */
    void save(Collection<SqsMessage<Order>> messages) {
        jdbc.batchUpdate(INSERT, messages, messages.size(), (row, message) -> {
            Order order = message.payload();
            row.setLong(1, order.number());
            row.setString(2, order.customer());
            row.setInt(3, order.cents());
        });
        long worth = messages.stream().mapToLong(each -> each.payload().cents()).sum();
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                orders.add(messages.size());
                cents.add(worth);
            }
        });
    }

    /** Returns how many orders were stored since the start. */
    long orders() {
        return orders.sum();
    }

    /** Returns what they were worth. */
    long cents() {
        return cents.sum();
    }
}
