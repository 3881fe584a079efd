/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.orders;

import io.github.batchsqs.sample.settings.SampleProperties;
import io.github.batchsqs.send.BatchSqsOperations;
import io.github.batchsqs.send.SendResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/**
 * Places orders: one send for each, in a transaction. They become rows of the outbox, which SQS gets after the commit, in calls
 * of ten; also if it does not answer now.
 */
@Component
public class OrderSender {

    private static final int CUSTOMERS = 100;
    private static final int MOST_CENTS = 50_000;
    private static final int ORDERS_PER_PARCEL = 5;
    private static final int ORDERS_PER_TRANSACTION = 1_000;

    private final BatchSqsOperations sqs;
    private final TransactionOperations transactions;
    private final String queue;

    /** Starts at the time, so that numbers do not come again after a restart: shipments are deduplicated by them. */
    private final AtomicLong numbers = new AtomicLong(System.currentTimeMillis() * 1_000);

    OrderSender(BatchSqsOperations sqs, TransactionOperations transactions, SampleProperties properties) {
        this.sqs = sqs;
        this.transactions = transactions;
        this.queue = properties.queues().orders();
    }

    /** Places an order, and tells its number. */
    long place(NewOrder order) {
        long number = numbers.incrementAndGet();
        var unused = send(List.of(new Order(
                number, order.customer(), order.cents(), Boolean.TRUE.equals(order.parcel()), order.voucher())));
        return number;
    }

    /** Places that many random orders. */
    void placeRandom(int orders) {
        place(orders, null);
    }

    /** Places that many random orders, and waits until SQS has accepted all of them. */
    public void placeRandomAndWait(int orders) {
        CompletableFuture.allOf(place(orders, null, 1).toArray(CompletableFuture<?>[]::new))
                .join();
    }

    /** The same, with a voucher for each. */
    public void place(int orders, @Nullable String voucher) {
        var unused = place(orders, voucher, 1);
    }

    /** Sends each of that many random orders twice, as a producer that has not seen the answer to its first attempt. */
    public void placeTwice(int orders) {
        var unused = place(orders, null, 2);
    }

    private List<CompletableFuture<SendResult>> place(int orders, @Nullable String voucher, int times) {
        List<CompletableFuture<SendResult>> sent = new ArrayList<>(orders * times);
        for (int left = orders; left > 0; left -= ORDERS_PER_TRANSACTION) {
            List<Order> some = new ArrayList<>();
            for (int i = 0; i < Math.min(left, ORDERS_PER_TRANSACTION); i++) {
                some.addAll(Collections.nCopies(times, random(ThreadLocalRandom.current(), voucher)));
            }
            sent.addAll(send(some));
        }
        return sent;
    }

    /** Sends orders in a transaction: all of them, or none. */
    private List<CompletableFuture<SendResult>> send(List<Order> orders) {
        return Objects.requireNonNull(transactions.execute(status -> {
            List<CompletableFuture<SendResult>> sent = new ArrayList<>(orders.size());
            for (Order order : orders) {
                CompletableFuture<SendResult> each = sqs.send(queue, order);
                if (each.isCompletedExceptionally()) {
                    each.join();
                }
                sent.add(each);
            }
            return sent;
        }));
    }

    private Order random(RandomGenerator random, @Nullable String voucher) {
        return new Order(
                numbers.incrementAndGet(),
                "customer-" + random.nextInt(CUSTOMERS),
                1 + random.nextInt(MOST_CENTS),
                random.nextInt(ORDERS_PER_PARCEL) == 0,
                voucher);
    }
}
