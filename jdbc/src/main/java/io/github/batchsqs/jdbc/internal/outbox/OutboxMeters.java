/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import io.github.batchsqs.jdbc.internal.Counters;
import io.github.batchsqs.jdbc.internal.outbox.OutboxTable.Backlog;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The meters of the outbox; without a registry only the state of the table is kept, for the health. */
final class OutboxMeters {

    private static final String PREFIX = "batchsqs.outbox.";

    private final Counters counters;
    private volatile Backlog backlog = Backlog.NONE;
    private volatile Supplier<Duration> failingFor = () -> Duration.ZERO;

    OutboxMeters(@Nullable MeterRegistry registry) {
        this.counters = new Counters(registry);
        if (registry != null) {
            gauge(registry, "waiting", "messages", "Messages in the table that wait for SQS", Backlog::waiting);
            gauge(registry, "failed", "messages", "Messages in the table that were refused", Backlog::failed);
            ToDoubleFunction<Backlog> age =
                    each -> each.oldest().plus(failingFor.get()).toMillis() / 1e3;
            gauge(registry, "oldest.age", "seconds", "Age of the oldest message that waits", age);
        }
    }

    private void gauge(
            MeterRegistry registry, String name, String unit, String description, ToDoubleFunction<Backlog> value) {
        Gauge unused = Gauge.builder(PREFIX + name, this, each -> value.applyAsDouble(each.backlog))
                .description(description)
                .baseUnit(unit)
                .register(registry);
    }

    /** Nobody counts while the relay fails: until then, messages get older. */
    void relayFails(Supplier<Duration> since) {
        failingFor = since;
    }

    /** Records the state of the table. */
    void backlog(Backlog now) {
        backlog = now;
    }

    Backlog backlog() {
        return backlog;
    }

    void stored(int messages) {
        counters.add(PREFIX + "stored", messages);
    }

    /** Adds one for each row to the counter of its destination. */
    void count(String name, List<Candidate> rows) {
        rows.stream()
                .collect(Collectors.groupingBy(Candidate::destination, Collectors.summingInt(row -> 1)))
                .forEach((destination, number) -> counters.add(
                        PREFIX + name, number, "client", destination.client(), "queue", destination.queueName()));
    }
}
