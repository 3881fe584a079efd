/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample;

import io.github.batchsqs.receive.ListenerContainers;
import io.github.batchsqs.sample.orders.OrderSender;
import io.github.batchsqs.sample.settings.SampleProperties;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.search.RequiredSearch;
import java.time.Duration;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.core.env.Environment;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.stereotype.Component;

/**
 * Logs the address of the live page, sends the first orders, starts their listener on that backlog, and logs in one line what
 * draining it took.
 *
 * <p>The listener does not start by itself ({@code auto-startup: false}), so that the line shows a backlog and not a race
 * between sender and listener.
 */
@Component
class FirstDrain implements ApplicationRunner {

    private static final Logger log = LoggerFactory.getLogger(FirstDrain.class);
    private static final double NANOS_PER_SECOND = 1e9;
    private static final Duration LOOK_EVERY = Duration.ofMillis(20);
    private static final String LISTENER = "orders";

    private final OrderSender sender;
    private final ListenerContainers containers;
    private final MeterRegistry meters;
    private final TaskScheduler scheduler;
    private final SampleProperties properties;
    private final Environment environment;
    private volatile long startedAt;
    private volatile @Nullable ScheduledFuture<?> watch;

    FirstDrain(
            OrderSender sender,
            ListenerContainers containers,
            MeterRegistry meters,
            TaskScheduler scheduler,
            SampleProperties properties,
            Environment environment) {
        this.sender = sender;
        this.containers = containers;
        this.meters = meters;
        this.scheduler = scheduler;
        this.properties = properties;
        this.environment = environment;
    }

    @Override
    public void run(ApplicationArguments arguments) {
        log.info("Open http://localhost:{}", environment.getRequiredProperty("local.server.port"));
        int expected = properties.firstOrders();
        if (expected > 0) {
            log.info("Sending {} orders to {} …", expected, properties.queues().orders());
            sender.placeRandomAndWait(expected);
        }
        startedAt = System.nanoTime();
        containers.get(LISTENER).start();
        if (expected > 0) {
            watch = scheduler.scheduleWithFixedDelay(this::look, LOOK_EVERY);
        }
    }

    /** Tells the result once SQS has accepted all deletes. */
    private void look() {
        double seconds = (System.nanoTime() - startedAt) / NANOS_PER_SECOND;
        double acknowledged = of("listener.acknowledged").counter().count();
        if (acknowledged >= properties.firstOrders()) {
            tell(acknowledged, seconds);
            Objects.requireNonNull(watch).cancel(false);
        }
    }

    private void tell(double messages, double seconds) {
        DistributionSummary batches = of("listener.batch.size").summary();
        log.info(String.format(
                Locale.ROOT,
                "Drained %,.0f messages in %.2f s: %,.0f messages/s, %,d batches of %.0f, %.3f calls per message",
                messages,
                seconds,
                messages / seconds,
                batches.count(),
                batches.mean(),
                of("api.calls.per.message").gauge().value()));
    }

    private RequiredSearch of(String meter) {
        return meters.get("batchsqs." + meter).tag("listener", LISTENER);
    }
}
