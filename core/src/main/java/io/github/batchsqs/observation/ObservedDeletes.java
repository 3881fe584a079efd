/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.observation;

import io.github.batchsqs.client.EntryResult;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueClient;
import io.github.batchsqs.client.ReceiveCall;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.client.SendEntry;
import io.github.batchsqs.client.SentMessage;
import io.github.batchsqs.client.VisibilityChange;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.support.OncePerMinute;
import io.github.batchsqs.support.SafeLog;
import io.github.batchsqs.time.TimeSource;
import io.micrometer.observation.Observation;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.LoggerFactory;

/**
 * Creates one observation per delete call; all other calls are delegated unchanged. If a handler of observations
 * throws, the call is still made and its result counts, because SQS has deleted the messages. Such failures are
 * counted, and the first of a minute is logged.
 */
final class ObservedDeletes implements QueueClient {

    private static final SafeLog log = new SafeLog(LoggerFactory.getLogger(ObservedDeletes.class));

    private final String listener;
    private final QueueClient client;
    private final Observations observations;
    private final ListenerEvents events;
    private final OncePerMinute line = new OncePerMinute(TimeSource.system());

    ObservedDeletes(String listener, QueueClient client, Observations observations, ListenerEvents events) {
        this.listener = listener;
        this.client = client;
        this.observations = observations;
        this.events = events;
    }

    @Override
    public List<EntryResult<Void>> delete(Queue queue, List<String> receiptHandles) throws InterruptedException {
        Observation.Scope before = observations.registry().getCurrentObservationScope();
        Observation observation = observation(queue, receiptHandles.size());
        guard(observation::start);
        AtomicReference<Observation.Scope> scope = new AtomicReference<>();
        guard(() -> scope.set(observation.openScope()));
        try {
            return client.delete(queue, receiptHandles);
        } catch (InterruptedException | RuntimeException failure) {
            guard(() -> observation.error(failure));
            throw failure;
        } finally {
            Observation.Scope opened = scope.get();
            if (opened != null) {
                guard(opened::close);
            }
            guard(() -> observations.registry().setCurrentObservationScope(before));
            guard(observation::stop);
        }
    }

    private Observation observation(Queue queue, int messages) {
        try {
            return Observation.createNotStarted(
                    observations.settle(),
                    () -> new SettleContext(listener, queue.name(), messages),
                    observations.registry());
        } catch (Throwable e) { // a predicate of the application, for example
            threw(e);
            return Observation.NOOP;
        }
    }

    private void guard(Runnable step) {
        try {
            step.run();
        } catch (Throwable e) { // for example of the log's context (MDC), which a handler of observations changes
            threw(e);
        }
    }

    private void threw(Throwable failure) {
        try {
            events.unexpected("settle", failure);
        } catch (Throwable e) { // a registry of meters, for example: the response of SQS counts all the same
            failure.addSuppressed(e);
        }
        if (line.due()) {
            log.warn(
                    "Listener {}: the observation of a delete failed, which has no effect on messages",
                    listener,
                    failure);
        }
    }

    @Override
    public List<ReceivedMessage> receive(ReceiveCall call) throws InterruptedException {
        return client.receive(call);
    }

    @Override
    public List<EntryResult<Void>> changeVisibility(Queue queue, List<VisibilityChange> changes)
            throws InterruptedException {
        return client.changeVisibility(queue, changes);
    }

    @Override
    public List<EntryResult<SentMessage>> send(Queue queue, List<SendEntry> entries) throws InterruptedException {
        return client.send(queue, entries);
    }
}
