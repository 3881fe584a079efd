/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.events;

import io.github.batchsqs.client.QueueClient;
import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.support.EngineStage;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Counts one listener's events in Micrometer, under {@code batchsqs.listener.}, with the tags {@code listener},
 * {@code queue} and {@code client}.
 *
 * <p>All meters are made at once, so that they are there with a zero before the first message, and are removed with the
 * listener.
 */
public final class MicrometerListenerEvents implements ListenerEvents {

    private static final String DELETE = "DeleteMessageBatch";

    private final Meters meters;
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
    private final Counter restarts;
    private final Counter conversionFailures;
    private final Map<String, Counter> unexpected = new ConcurrentHashMap<>();

    /**
     * Registers the meters of a listener of the default client.
     *
     * @param registry the registry that has the meters
     * @param listener the listener's id
     * @param queue the queue's name
     */
    public MicrometerListenerEvents(MeterRegistry registry, String listener, String queue) {
        this(registry, listener, queue, QueueClient.DEFAULT_NAME);
    }

    /**
     * Registers the meters.
     *
     * @param registry the registry that has the meters
     * @param listener the listener's id
     * @param queue the queue's name
     * @param client the name of the client that reads the queue
     */
    public MicrometerListenerEvents(MeterRegistry registry, String listener, String queue, String client) {
        meters = new Meters(registry, "batchsqs.listener.", client, Tags.of("listener", listener, "queue", queue));
        received = meters.counter("received", "Messages received");
        done = processed("done");
        partial = processed("partial");
        failed = processed("failed");
        batchSize = meters.summary("batch.size", "Messages per invocation");
        delay = meters.timer("delay", "From the time that SQS accepted a batch's oldest message to its handler");
        acknowledged = meters.counter("acknowledged", "Messages whose delete SQS accepted");
        acknowledgeBatchSize = meters.summary("acknowledge.batch.size", "Messages per delete call");
        acknowledgeFailures =
                meters.counter("acknowledge.failures", "Messages whose lease ended before SQS accepted the delete");
        released = meters.counter("released", "Messages returned to the queue");
        deadLettered = meters.counter("dead.lettered", "Messages moved to a dead-letter queue");
        leaseExtended = meters.counter("lease.extended", "Messages whose visibility timeout was extended");
        leaseLost = meters.counter("lease.lost", "Messages that may be running elsewhere as well");
        restarts = meters.counter("restarts", "Failures of the engine after which the listener starts again");
        conversionFailures = meters.counter("conversion.failures", "Messages whose payload could not be converted");
        for (EngineStage stage : EngineStage.values()) {
            unexpected.put(stage.text(), unexpectedIn(stage.text()));
        }
        meters.callsPerMessage("receive", listener, queue);
    }

    private Timer processed(String outcome) {
        return meters.timer("processed", "Invocations: all messages done, some, or none", "outcome", outcome);
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
        meters.gauge("in.flight", "Messages received and not yet settled", inFlight);
        meters.gauge("handoff.size", "Messages waiting for an invocation", handoffSize);
        meters.gauge("pollers", "Pollers at work", pollers);
        meters.gauge("concurrency.active", "Invocations running", activeInvocations);
    }

    /**
     * Registers the gauge of the invocations that may run at once; the supplier is asked at each scrape.
     *
     * @param concurrency how many invocations may run at once
     */
    public void concurrencyGauge(IntSupplier concurrency) {
        meters.gauge("concurrency.limit", "Invocations that may run at once", concurrency);
    }

    /**
     * Registers the gauges of limit and trouble; the suppliers are asked at each scrape.
     *
     * @param inFlightLimit maximum of messages in flight
     * @param problem whether the listener runs and does not work
     * @param receiveFailing how long every receive of the running listener has failed
     */
    public void troubleGauges(IntSupplier inFlightLimit, BooleanSupplier problem, Supplier<Duration> receiveFailing) {
        meters.gauge("in.flight.limit", "Maximum of messages in flight", inFlightLimit);
        meters.gauge("problem", "1 while the listener runs and does not work", () -> problem.getAsBoolean() ? 1 : 0);
        meters.secondsGauge("receive.failing", "How long every receive has failed", receiveFailing);
    }

    /**
     * Registers the gauge of the memory; the supplier is asked at each scrape.
     *
     * @param inFlightBytes the size of the messages received and not yet settled
     */
    public void memoryGauge(LongSupplier inFlightBytes) {
        meters.bytesGauge("in.flight.bytes", "Size of the messages received and not yet settled", inFlightBytes);
    }

    /**
     * Registers the gauge of the gates; the supplier is asked at each scrape.
     *
     * @param waiting how long a gate has kept the running listener from receiving
     */
    public void gateGauge(Supplier<Duration> waiting) {
        meters.secondsGauge("gate.waiting", "How long a gate has kept the listener from receiving", waiting);
    }

    @Override
    public void on(ListenerEvent event) {
        switch (event) {
            case ListenerEvent.ApiCall call -> count(call);
            case ListenerEvent.Received(int messages) -> received.increment(messages);
            case ListenerEvent.Invoking invoking -> {
                batchSize.record(invoking.messages());
                delay.record(invoking.delayNanos(), TimeUnit.NANOSECONDS);
            }
            case ListenerEvent.Invoked invoked -> timer(invoked).record(invoked.tookNanos(), TimeUnit.NANOSECONDS);
            case ListenerEvent.ConversionFailed failedOne -> conversionFailures.increment();
            case ListenerEvent.Acknowledged(int messages) -> {
                acknowledged.increment(messages);
                meters.messages(messages);
            }
            case ListenerEvent.AcknowledgeFailed failedOne -> acknowledgeFailures.increment();
            case ListenerEvent.Released(int messages) -> released.increment(messages);
            case ListenerEvent.DeadLettered one -> deadLettered.increment();
            case ListenerEvent.LeaseExtended(int messages) -> leaseExtended.increment(messages);
            case ListenerEvent.LeaseLost one -> leaseLost.increment();
            case ListenerEvent.Restarting one -> restarts.increment();
            case ListenerEvent.Unexpected one ->
                unexpected.computeIfAbsent(one.stage(), this::unexpectedIn).increment();
            case ListenerEvent.Removed last -> meters.remove();
            case ListenerEvent.Started ignored -> {}
            case ListenerEvent.Stopped ignored -> {}
            case ListenerEvent.Failed ignored -> {} // its invocation is counted
        }
    }

    private void count(ListenerEvent.ApiCall call) {
        if (call.entries() == 0 && call.errorCode() == null) {
            meters.idleCall(call.operation(), call.took(), null); // a receive that found nothing
        } else {
            meters.apiCall(call.operation(), call.took(), call.errorCode());
        }
        if (call.operation().equals(DELETE)) {
            acknowledgeBatchSize.record(call.entries());
        }
    }

    private Timer timer(ListenerEvent.Invoked invoked) {
        if (invoked.failed() == 0) {
            return done;
        }
        return invoked.done() == 0 ? failed : partial;
    }

    private Counter unexpectedIn(String stage) {
        return meters.counter(
                "unexpected", "Throwables that the engine caught in one of its stages and survived", "stage", stage);
    }
}
