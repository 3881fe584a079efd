/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.shipping;

import io.github.batchsqs.annotation.BatchSqsListener;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.springframework.stereotype.Component;

/** Packs parcels. A batch holds the parcels of several customers, each customer's in order and in no other batch meanwhile. */
@Component
public class ShipmentListener {

    private final LongAdder shipped = new LongAdder();

    @BatchSqsListener(
            id = "shipments",
            queue = "${sample.queues.shipments:shipments.fifo}",
            batchSize = "50",
            fifoBatchGrouping = "mixed")
    void handle(List<Shipment> shipments) {
        shipped.add(shipments.size());
    }

    /** How many parcels were packed. */
    public long shipped() {
        return shipped.sum();
    }
}
