/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.live;

import io.github.batchsqs.receive.ListenerContainer;
import io.github.batchsqs.receive.ListenerContainers;
import io.github.batchsqs.sample.controls.Outage;
import io.github.batchsqs.sample.live.Live.Controls;
import io.github.batchsqs.sample.live.Live.Shop;
import io.github.batchsqs.sample.orders.OrderListener;
import io.github.batchsqs.sample.orders.Pace;
import io.github.batchsqs.sample.orders.Visitors;
import io.github.batchsqs.sample.queues.QueueDepths.Depth;
import io.github.batchsqs.sample.race.RaceListeners;
import io.github.batchsqs.sample.settings.SampleProperties;
import io.github.batchsqs.sample.shipping.ShipmentListener;
import io.github.batchsqs.sample.stock.StockListener;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Reads the listeners' meters and states, and compares them with those of two seconds ago. For one thread at a time. */
@Component
class LiveNumbers {

    private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final double NANOS_PER_SECOND = 1e9;
    private static final long STARTED = System.currentTimeMillis();

    private final MeterRegistry meters;
    private final ListenerContainers containers;
    private final Deliveries deliveries;
    private final OrderListener orders;
    private final ShipmentListener shipments;
    private final StockListener stock;
    private final UnsentMessages unsent;
    private final Pace pace;
    private final Visitors visitors;
    private final Outage outage;
    private final SampleProperties properties;
    private final Deque<Reading> readings = new ArrayDeque<>();

    /** The totals of each listener at one moment. */
    private record Reading(long nanos, Map<String, Totals> totals) {}

    LiveNumbers(
            MeterRegistry meters,
            ListenerContainers containers,
            Deliveries deliveries,
            OrderListener orders,
            ShipmentListener shipments,
            StockListener stock,
            UnsentMessages unsent,
            Pace pace,
            Visitors visitors,
            Outage outage,
            SampleProperties properties) {
        this.meters = meters;
        this.containers = containers;
        this.deliveries = deliveries;
        this.orders = orders;
        this.shipments = shipments;
        this.stock = stock;
        this.unsent = unsent;
        this.pace = pace;
        this.visitors = visitors;
        this.outage = outage;
        this.properties = properties;
    }

    /** What there is at this moment, to be asked every so often; the times must not run backwards. */
    Live at(long nanos, Function<String, @Nullable Depth> depths) {
        List<ListenerContainer> all = RaceListeners.without(containers.all());
        Reading now = new Reading(nanos, totals(all));
        Reading before = compared(now);
        Map<String, Long> waiting = unsent.byQueue();
        return new Live(
                STARTED,
                0,
                List.of(),
                all.stream()
                        .map(each -> view(each, before, now, depths, waiting))
                        .toList(),
                new Shop(orders.handled(), orders.cents(), shipments.shipped(), stock.pieces()),
                new Controls(
                        properties.manyOrders(),
                        pace.slow(),
                        visitors.here(),
                        outage.running(),
                        outage.length().toSeconds(),
                        outage.impossible()));
    }

    /** Remembers a reading, and finds the newest that is as old as the window, or else the oldest. */
    private Reading compared(Reading now) {
        readings.addLast(now);
        Reading oldest = readings.getFirst();
        while (now.nanos() - oldest.nanos() > WINDOW_NANOS) {
            readings.removeFirst();
            oldest = readings.getFirst();
        }
        return oldest;
    }

    private Map<String, Totals> totals(List<ListenerContainer> all) {
        Map<String, Totals> totals = new LinkedHashMap<>();
        for (ListenerContainer each : all) {
            String id = each.options().id();
            totals.put(
                    id, Totals.of(meters, id, deliveries.retries(each.options().queue())));
        }
        return totals;
    }

    private ListenerView view(
            ListenerContainer container,
            Reading before,
            Reading now,
            Function<String, @Nullable Depth> depths,
            Map<String, Long> waiting) {
        String id = container.options().id();
        String queue = container.options().queue();
        Totals totals = now.totals().getOrDefault(id, Totals.NONE);
        double seconds = (now.nanos() - before.nanos()) / NANOS_PER_SECOND;
        Recent recent = Recent.between(
                before.totals().getOrDefault(id, Totals.NONE),
                totals,
                seconds,
                deliveries.since(queue, now.nanos() - WINDOW_NANOS));
        return ListenerView.of(container, depths.apply(queue), waiting.get(queue), totals, recent);
    }
}
