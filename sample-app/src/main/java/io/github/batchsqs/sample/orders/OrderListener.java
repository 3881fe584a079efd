/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.orders;

import io.github.batchsqs.BatchOutcome;
import io.github.batchsqs.SqsMessage;
import io.github.batchsqs.annotation.BatchSqsListener;
import io.github.batchsqs.sample.shipping.Shipment;
import io.github.batchsqs.sample.shipping.ShipmentSender;
import jakarta.annotation.PreDestroy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Handles orders, up to a hundred at once: redeems vouchers, hands all parcels to shipping together, and stores the orders in
 * the shop's database.
 *
 * <p>An order that fails comes back alone; its neighbours are done. An order that was sent twice is handled once: the inbox
 * ({@code inbox.enabled} in the settings) calls this method in a transaction that also records the numbers of the orders. The
 * parcels are part of it, too: they wait in the outbox until it has committed.
 */
@Component
public class OrderListener {

    private static final Logger log = LoggerFactory.getLogger(OrderListener.class);

    private final Pace pace;
    private final Vouchers vouchers;
    private final ShipmentSender shipping;
    private final OrderStore store;

    OrderListener(Pace pace, Vouchers vouchers, ShipmentSender shipping, OrderStore store) {
        this.pace = pace;
        this.vouchers = vouchers;
        this.shipping = shipping;
        this.store = store;
    }

    @BatchSqsListener(
            id = "orders",
            queue = "${sample.queues.orders:orders}",
            batchSize = "100",
            batchLinger = "50ms",
            concurrency = "8")
    BatchOutcome handle(List<SqsMessage<Order>> orders) throws InterruptedException {
        pace.work();
        BatchOutcome.Builder outcome = BatchOutcome.perMessage();
        Map<Long, SqsMessage<Order>> good = redeemVouchers(orders, outcome);
        sendParcels(good, outcome);
        store.save(good.values());
        return outcome.done(good.values()).build();
    }

    /** Returns the orders whose vouchers are redeemed, by their numbers. */
    private Map<Long, SqsMessage<Order>> redeemVouchers(List<SqsMessage<Order>> orders, BatchOutcome.Builder outcome) {
        Map<Long, SqsMessage<Order>> good = new LinkedHashMap<>();
        for (SqsMessage<Order> message : orders) {
            try {
                vouchers.redeem(message.payload().voucher());
                good.put(message.payload().number(), message);
            } catch (IllegalStateException refused) {
                outcome.retry(message, refused);
            }
        }
        return good;
    }

    /** Sends the parcels of all orders together, and removes the orders whose parcel was not sent. */
    private void sendParcels(Map<Long, SqsMessage<Order>> good, BatchOutcome.Builder outcome) {
        shipping.send(shipments(good)).forEach((number, failure) -> {
            SqsMessage<Order> failed = good.remove(number);
            if (failed != null) {
                outcome.retry(failed, failure);
            }
        });
    }

    private static List<Shipment> shipments(Map<Long, SqsMessage<Order>> orders) {
        return orders.values().stream()
                .map(SqsMessage::payload)
                .filter(Order::parcel)
                .map(order -> new Shipment(order.number(), order.customer()))
                .toList();
    }

    /** How many orders were handled. */
    public long handled() {
        return store.orders();
    }

    /** What they were worth. */
    public long cents() {
        return store.cents();
    }

    /** Beans are destroyed after the listeners have stopped, so this is the last word. */
    @PreDestroy
    void tellTheEnd() {
        log.info("Handled {} orders in all", handled());
    }
}
