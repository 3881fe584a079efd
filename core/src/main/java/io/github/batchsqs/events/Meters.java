/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.events;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** Meters with one prefix and the same tags, and those of the calls to SQS. */
final class Meters {

    private final MeterRegistry registry;
    private final String prefix;
    private final Tags tags;
    private final Map<ApiCall, Timer> apiCalls = new ConcurrentHashMap<>();

    Meters(MeterRegistry registry, String prefix, Tags tags) {
        this.registry = registry;
        this.prefix = prefix;
        this.tags = tags;
    }

    Counter counter(String name, String description, String... moreTags) {
        return Counter.builder(prefix + name)
                .description(description)
                .tags(tags.and(moreTags))
                .register(registry);
    }

    DistributionSummary summary(String name, String description) {
        return DistributionSummary.builder(prefix + name)
                .description(description)
                .tags(tags)
                .register(registry);
    }

    Timer timer(String name, String description, String... moreTags) {
        return Timer.builder(prefix + name)
                .description(description)
                .tags(tags.and(moreTags))
                .register(registry);
    }

    void gauge(String name, String description, IntSupplier value) {
        Gauge.builder(prefix + name, value, IntSupplier::getAsInt)
                .description(description)
                .tags(tags)
                .strongReference(true)
                .register(registry);
    }

    /** Counts and times a call; the outcome is {@code success} or SQS's error code. */
    void apiCall(String operation, Duration took, @Nullable String errorCode) {
        apiCalls.computeIfAbsent(new ApiCall(operation, errorCode == null ? "success" : errorCode), this::timer)
                .record(took);
    }

    private Timer timer(ApiCall call) {
        return Timer.builder("batchsqs.api.calls")
                .description("Calls to SQS, by operation and by success or error code")
                .tags("operation", call.operation(), "outcome", call.outcome())
                .register(registry);
    }

    private record ApiCall(String operation, String outcome) {}
}
