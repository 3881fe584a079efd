/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample;

import io.github.batchsqs.annotation.BatchSqsListener;
import jakarta.annotation.PreDestroy;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Handles orders: counts them, and adds up what they are worth. */
@Component
class OrderListener {

    private static final Logger log = LoggerFactory.getLogger(OrderListener.class);

    private final LongAdder handled = new LongAdder();
    private final LongAdder cents = new LongAdder();

    @BatchSqsListener(id = "orders", queue = "${sample.queue:orders}")
    void handle(List<Order> orders) {
        orders.forEach(order -> cents.add(order.cents()));
        handled.add(orders.size());
    }

    long handled() {
        return handled.sum();
    }

    long cents() {
        return cents.sum();
    }

    /** Beans are destroyed after the listeners have stopped, so this is the last word. */
    @PreDestroy
    void tellTheEnd() {
        log.info("Handled {} orders in all", handled());
    }
}
