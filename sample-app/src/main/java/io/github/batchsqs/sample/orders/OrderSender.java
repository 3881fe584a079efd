/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.orders;

import io.github.batchsqs.sample.settings.SampleProperties;
import io.github.batchsqs.send.BatchSqsOperations;
import io.github.batchsqs.send.SendResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Places orders: one send for each; the template groups them into calls of ten. */
@Component
public class OrderSender {

    private static final int CUSTOMERS = 100;
    private static final int MOST_CENTS = 50_000;
    private static final int ORDERS_PER_PARCEL = 5;

    private final BatchSqsOperations sqs;
    private final String queue;

    /** Starts at the time, so that numbers do not come again after a restart: shipments are deduplicated by them. */
    private final AtomicLong numbers = new AtomicLong(System.currentTimeMillis() * 1_000);

    OrderSender(BatchSqsOperations sqs, SampleProperties properties) {
        this.sqs = sqs;
        this.queue = properties.queues().orders();
    }

    /** Sends an order, waits until SQS has accepted it, and tells its number. */
    long place(NewOrder order) {
        long number = numbers.incrementAndGet();
        sqs.send(
                        queue,
                        new Order(
                                number,
                                order.customer(),
                                order.cents(),
                                Boolean.TRUE.equals(order.parcel()),
                                order.voucher()))
                .join();
        return number;
    }

    /** Sends that many random orders and waits until SQS has accepted all of them. */
    public void placeRandom(int orders) {
        place(orders, null);
    }

    /** The same, with a voucher for each. */
    public void place(int orders, @Nullable String voucher) {
        place(orders, voucher, 1);
    }

    /** Sends each of that many random orders twice, as a producer that has not seen the answer to its first attempt. */
    public void placeTwice(int orders) {
        place(orders, null, 2);
    }

    private void place(int orders, @Nullable String voucher, int times) {
        List<CompletableFuture<SendResult>> sent = new ArrayList<>(orders * times);
        for (int i = 0; i < orders; i++) {
            Order order = random(ThreadLocalRandom.current(), voucher);
            for (int time = 0; time < times; time++) {
                sent.add(sqs.send(queue, order));
            }
        }
        CompletableFuture.allOf(sent.toArray(CompletableFuture<?>[]::new)).join();
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
