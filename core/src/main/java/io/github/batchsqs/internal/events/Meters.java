/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.events;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Meters with one prefix and the same tags, and those of the calls to SQS. */
final class Meters {

    private static final String CLIENT = "client";

    private final MeterRegistry registry;
    private final String prefix;
    private final Tags tags;
    private final String client;
    private final Map<ApiCall, Timer> apiCalls = new ConcurrentHashMap<>();
    private final Queue<Meter> own = new ConcurrentLinkedQueue<>();
    private final LongAdder calls = new LongAdder();
    private final LongAdder messages = new LongAdder();

    Meters(MeterRegistry registry, String prefix, String client, Tags tags) {
        this.registry = registry;
        this.prefix = prefix;
        this.client = client;
        this.tags = tags.and(CLIENT, client);
    }

    Counter counter(String name, String description, String... moreTags) {
        return own(Counter.builder(prefix + name)
                .description(description)
                .tags(tags.and(moreTags))
                .register(registry));
    }

    DistributionSummary summary(String name, String description) {
        return own(DistributionSummary.builder(prefix + name)
                .description(description)
                .tags(tags)
                .register(registry));
    }

    Timer timer(String name, String description, String... moreTags) {
        return own(Timer.builder(prefix + name)
                .description(description)
                .tags(tags.and(moreTags))
                .register(registry));
    }

    void gauge(String name, String description, @Nullable String unit, Supplier<Number> value) {
        Gauge ignored = own(Gauge.builder(prefix + name, value)
                .baseUnit(unit)
                .description(description)
                .tags(tags)
                .register(registry));
    }

    /**
     * The calls that were recorded here for each of the {@link #messages}, without idle ones; NaN before the first message. Registries
     * such as Prometheus's want the same tag keys of all meters of a name, so the send path has a {@code listener} too.
     */
    void callsPerMessage(String direction, String listener, String queue) {
        Gauge ignored = own(Gauge.builder("batchsqs.api.calls.per.message", messages, each -> {
                    double count = each.doubleValue();
                    return count == 0 ? Double.NaN : calls.doubleValue() / count;
                })
                .description(
                        "Calls to SQS for each message that was acknowledged or sent, without receives that found none")
                .tags("direction", direction, "listener", listener, "queue", queue, CLIENT, client)
                .strongReference(true)
                .register(registry));
    }

    /** Removes the meters that nobody else shares; those of the calls stay. */
    void remove() {
        for (Meter each = own.poll(); each != null; each = own.poll()) {
            Meter ignored = registry.remove(each);
        }
    }

    private <M extends Meter> M own(M meter) {
        own.add(meter);
        return meter;
    }

    /** Counts messages since the start. A registry that publishes steps (CloudWatch, Datadog) has counters of the last step only. */
    void messages(int count) {
        messages.add(count);
    }

    /** Counts and times a call; the outcome is {@code success} or SQS's error code. */
    void apiCall(String operation, Duration took, @Nullable String errorCode) {
        calls.increment();
        idleCall(operation, took, errorCode);
    }

    /** Counts and times a call that no message caused. */
    void idleCall(String operation, Duration took, @Nullable String errorCode) {
        apiCalls.computeIfAbsent(new ApiCall(operation, errorCode == null ? "success" : errorCode), this::timer)
                .record(took);
    }

    private Timer timer(ApiCall call) {
        return Timer.builder("batchsqs.api.calls")
                .description("Calls to SQS, by operation and by success or error code")
                .tags("operation", call.operation(), "outcome", call.outcome(), CLIENT, client)
                .register(registry);
    }

    private record ApiCall(String operation, String outcome) {}
}
