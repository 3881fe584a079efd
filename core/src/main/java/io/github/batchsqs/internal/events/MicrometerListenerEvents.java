/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.events;

import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.internal.support.EngineStage;
import io.github.batchsqs.listener.ContainerStatus;
import io.github.batchsqs.listener.ReceiveWait;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts one listener's events in Micrometer, under {@code batchsqs.listener.}, with the tags {@code listener},
 * {@code queue} and {@code client}.
 *
 * <p>All meters are made at once, so that they are there with a zero before the first message, and are removed with the
 * listener.
 */
public final class MicrometerListenerEvents implements ListenerEvents {

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

    /** Registers the gauges; the supplier is asked for each of them at each scrape. */
    public void gauges(Supplier<ContainerStatus> status) {
        gauge("in.flight", "Messages received and not yet settled", status, ContainerStatus::inFlight);
        gauge("in.flight.limit", "Maximum of messages in flight", status, ContainerStatus::inFlightLimit);
        gauge("handoff.size", "Messages waiting for an invocation", status, ContainerStatus::handoffSize);
        gauge("pollers", "Pollers at work", status, ContainerStatus::pollers);
        gauge("concurrency.active", "Invocations running", status, ContainerStatus::activeInvocations);
        gauge("concurrency.limit", "Invocations that may run at once", status, ContainerStatus::concurrency);
        gauge(
                "problem",
                "1 while the listener runs and does not work",
                status,
                now -> now.problem() != null || now.invocationOverdueFor().isPositive() ? 1 : 0);
        meters.gauge(
                "in.flight.bytes",
                "Size of the messages received and not yet settled",
                "bytes",
                () -> status.get().inFlightBytes());
        meters.gauge(
                "receive.failing",
                "How long every receive has failed",
                "seconds",
                () -> seconds(status.get().receiveFailingFor()));
        meters.gauge(
                "gate.waiting",
                "How long a gate has kept the listener from receiving",
                "seconds",
                () -> seconds(waitingForGate(status.get().receiveWait())));
    }

    private void gauge(
            String name,
            String description,
            Supplier<ContainerStatus> status,
            Function<ContainerStatus, Number> value) {
        meters.gauge(name, description, null, () -> value.apply(status.get()));
    }

    private static Duration waitingForGate(@Nullable ReceiveWait wait) {
        return wait != null && wait.reason().equals(ReceiveWait.GATE) ? wait.waitingFor() : Duration.ZERO;
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    @Override
    public void on(ListenerEvent event) {
        switch (event) {
            case ListenerEvent.ApiCall call -> count(call);
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
            case ListenerEvent.ReceivesFailing ignored -> {} // each call is counted
            case ListenerEvent.ReceivesRecovered ignored -> {}
            case ListenerEvent.Failed ignored -> {} // its invocation is counted
        }
    }

    private void count(ListenerEvent.ApiCall call) {
        if (call.entries() == 0 && call.errorCode() == null) {
            meters.idleCall(call.operation(), call.took(), null); // a receive that found nothing
        } else {
            meters.apiCall(call.operation(), call.took(), call.errorCode());
        }
        switch (call.operation()) {
            case "ReceiveMessage" -> received.increment(call.entries());
            case "DeleteMessageBatch" -> acknowledgeBatchSize.record(call.entries());
            default -> {}
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
