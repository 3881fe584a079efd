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

/**
 * Counts one listener's events in Micrometer, under {@code batchsqs.listener.}, with the tags {@code listener} and
 * {@code queue}.
 *
 * <p>All meters are made at once, so that they are there with a zero before the first message.
 */
public final class MicrometerEvents implements ListenerEvents {

    private static final String PREFIX = "batchsqs.listener.";
    private static final String DELETE = "DeleteMessageBatch";

    private final MeterRegistry registry;
    private final Tags tags;
    private final Counter received;
    private final Timer done;
    private final Timer partial;
    private final Timer failed;
    private final DistributionSummary batchSize;
    private final Timer delay;
    private final Counter acknowledged;
    private final DistributionSummary acknowledgeBatchSize;
    private final Counter acknowledgeFailures;
    private final Counter released;
    private final Counter deadLettered;
    private final Counter leaseExtended;
    private final Counter leaseLost;
    private final Counter conversionFailures;
    private final Map<ApiCall, Timer> apiCalls = new ConcurrentHashMap<>();

    /**
     * Registers the meters.
     *
     * @param listener the listener's id
     * @param queue the queue's name
     */
    public MicrometerEvents(MeterRegistry registry, String listener, String queue) {
        this.registry = registry;
        this.tags = Tags.of("listener", listener, "queue", queue);
        received = counter("received", "Messages received");
        done = processed("done");
        partial = processed("partial");
        failed = processed("failed");
        batchSize = summary("batch.size", "Messages per invocation");
        delay = Timer.builder(PREFIX + "delay")
                .description("From the time that SQS accepted a batch's oldest message to its handler")
                .tags(tags)
                .register(registry);
        acknowledged = counter("acknowledged", "Messages whose delete SQS accepted");
        acknowledgeBatchSize = summary("acknowledge.batch.size", "Messages per delete call");
        acknowledgeFailures =
                counter("acknowledge.failures", "Messages whose lease ended before SQS accepted the delete");
        released = counter("released", "Messages given back");
        deadLettered = counter("dead.lettered", "Messages moved to a dead-letter queue");
        leaseExtended = counter("lease.extended", "Messages whose visibility timeout was extended");
        leaseLost = counter("lease.lost", "Messages that may be running elsewhere as well");
        conversionFailures = counter("conversion.failures", "Messages whose payload could not be converted");
    }

    /**
     * Registers the gauges; the suppliers are asked at each scrape.
     *
     * @param inFlight messages received and not yet settled
     * @param handoffSize messages waiting for an invocation
     * @param pollers receives that may run at once now
     * @param activeInvocations invocations that run now
     */
    public void gauges(
            IntSupplier inFlight, IntSupplier handoffSize, IntSupplier pollers, IntSupplier activeInvocations) {
        gauge("in.flight", "Messages received and not yet settled", inFlight);
        gauge("handoff.size", "Messages waiting for an invocation", handoffSize);
        gauge("pollers", "Pollers at work", pollers);
        gauge("concurrency.active", "Invocations running", activeInvocations);
    }

    @Override
    public void apiCall(String operation, int entries, Duration took, @Nullable String errorCode) {
        apiCalls.computeIfAbsent(new ApiCall(operation, errorCode == null ? "success" : errorCode), this::apiCalls)
                .record(took);
        if (operation.equals(DELETE)) {
            acknowledgeBatchSize.record(entries);
        }
    }

    @Override
    public void received(int messages) {
        received.increment(messages);
    }

    @Override
    public void invoking(int messages, Duration sinceSent) {
        batchSize.record(messages);
        delay.record(sinceSent);
    }

    @Override
    public void invoked(int doneMessages, int failedMessages, Duration took) {
        Timer timer;
        if (failedMessages == 0) {
            timer = done;
        } else {
            timer = doneMessages == 0 ? failed : partial;
        }
        timer.record(took);
    }

    @Override
    public void conversionFailed() {
        conversionFailures.increment();
    }

    @Override
    public void acknowledged(int messages) {
        acknowledged.increment(messages);
    }

    @Override
    public void acknowledgeFailed() {
        acknowledgeFailures.increment();
    }

    @Override
    public void released(int messages) {
        released.increment(messages);
    }

    @Override
    public void deadLettered() {
        deadLettered.increment();
    }

    @Override
    public void leaseExtended(int messages) {
        leaseExtended.increment(messages);
    }

    @Override
    public void leaseLost() {
        leaseLost.increment();
    }

    private Counter counter(String name, String description) {
        return Counter.builder(PREFIX + name)
                .description(description)
                .tags(tags)
                .register(registry);
    }

    private DistributionSummary summary(String name, String description) {
        return DistributionSummary.builder(PREFIX + name)
                .description(description)
                .tags(tags)
                .register(registry);
    }

    private Timer processed(String outcome) {
        return Timer.builder(PREFIX + "processed")
                .description("Invocations: all messages done, some, or none")
                .tags(tags.and("outcome", outcome))
                .register(registry);
    }

    private void gauge(String name, String description, IntSupplier value) {
        Gauge.builder(PREFIX + name, value, IntSupplier::getAsInt)
                .description(description)
                .tags(tags)
                .strongReference(true)
                .register(registry);
    }

    private Timer apiCalls(ApiCall call) {
        return Timer.builder("batchsqs.api.calls")
                .description("Calls to SQS, by operation and by success or error code")
                .tags("operation", call.operation(), "outcome", call.outcome())
                .register(registry);
    }

    private record ApiCall(String operation, String outcome) {}
}
