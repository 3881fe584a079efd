/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.test;

import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.test.OrderApplication.Order;
import io.github.batchsqs.test.OrderApplication.OrderStore;
import java.util.List;
import org.springframework.stereotype.Component;

@Component
class OrderListener {

    private final OrderStore store;

    OrderListener(OrderStore store) {
        this.store = store;
    }

    @BatchSqsListener(queue = "orders")
    void handle(List<Order> orders) {
        orders.forEach(store::store);
    }
}
