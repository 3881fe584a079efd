/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.stock;

import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.annotation.SnsPayload;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.springframework.stereotype.Component;

/** Counts what arrives. The notification is opened for it: its parameter is the payload inside. */
@Component
public class StockListener {

    private final LongAdder pieces = new LongAdder();

    @BatchSqsListener(id = "stock", queue = "${sample.queues.stock:stock}")
    void handle(@SnsPayload List<Arrival> arrivals) {
        arrivals.forEach(arrival -> pieces.add(arrival.pieces()));
    }

    /** How many pieces arrived. */
    public long pieces() {
        return pieces.sum();
    }
}
