/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.testkit;

import io.github.batchsqs.annotation.BatchSqsListener;
import java.util.List;

/** A listener of the queue {@code orders} that does nothing. */
public class OrdersHandler {
    @BatchSqsListener(queue = "orders")
    void handle(List<String> orders) {}
}
