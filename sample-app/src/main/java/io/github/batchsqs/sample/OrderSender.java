/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample;

import io.github.batchsqs.send.BatchSqsOperations;
import io.github.batchsqs.send.SendResult;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.stereotype.Component;

/** Places orders: one send for each; the template groups them into calls of ten. */
@Component
class OrderSender {

    private final BatchSqsOperations sqs;
    private final SampleProperties properties;
    private final AtomicLong numbers = new AtomicLong();

    OrderSender(BatchSqsOperations sqs, SampleProperties properties) {
        this.sqs = sqs;
        this.properties = properties;
    }

    /** Sends that many random orders and waits until SQS has accepted all of them. */
    void place(int orders) {
        List<CompletableFuture<SendResult>> sent = new ArrayList<>(orders);
        for (int i = 0; i < orders; i++) {
            Order order = Order.random(numbers.incrementAndGet(), ThreadLocalRandom.current());
            sent.add(sqs.send(properties.queue(), order));
        }
        CompletableFuture.allOf(sent.toArray(CompletableFuture<?>[]::new)).join();
    }
}
