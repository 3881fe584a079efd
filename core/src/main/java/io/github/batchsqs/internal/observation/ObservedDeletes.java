/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.observation;

import io.github.batchsqs.client.EntryResult;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueClient;
import io.github.batchsqs.client.ReceiveCall;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.client.SendEntry;
import io.github.batchsqs.client.SentMessage;
import io.github.batchsqs.client.VisibilityChange;
import io.github.batchsqs.observation.SettleContext;
import io.github.batchsqs.observation.SettleConvention;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Creates one observation per delete call; all other calls are delegated unchanged. If a handler of observations
 * throws or interrupts its thread, the call is still made and its result counts, because SQS has deleted the messages. The
 * first such failure of a minute is logged.
 */
final class ObservedDeletes implements QueueClient {

    private final String listener;
    private final String clientName;
    private final QueueClient client;
    private final ObservationRegistry registry;
    private final SettleConvention convention;
    private final ObservationGuard guard;

    ObservedDeletes(
            String listener,
            String clientName,
            QueueClient client,
            ObservationRegistry registry,
            SettleConvention convention) {
        this.listener = listener;
        this.clientName = clientName;
        this.client = client;
        this.registry = registry;
        this.convention = convention;
        this.guard = new ObservationGuard(registry, "Listener " + listener + ": the observation of a delete");
    }

    @Override
    public List<EntryResult<Void>> delete(Queue queue, List<String> receiptHandles) throws InterruptedException {
        Observation.Scope before = registry.getCurrentObservationScope();
        Observation observation = guard.start(
                convention,
                SettleConvention.STANDARD,
                () -> new SettleContext(listener, clientName, queue.name(), receiptHandles.size()));
        AtomicReference<Observation.Scope> scope = new AtomicReference<>();
        boolean ignored = guard.run(() -> scope.set(observation.openScope()));
        clearInterrupt();
        try {
            return client.delete(queue, receiptHandles);
        } catch (InterruptedException | RuntimeException failure) {
            ignored = guard.run(() -> observation.error(failure));
            throw failure;
        } finally {
            Observation.Scope opened = scope.get();
            if (opened != null) {
                ignored = guard.run(opened::close);
            }
            registry.setCurrentObservationScope(before);
            ignored = guard.run(observation::stop);
            clearInterrupt();
        }
    }

    /** Clears the interrupt of a handler of observations: nothing else interrupts a delete, neither a stop nor a deadline. */
    private static void clearInterrupt() {
        boolean ignored = Thread.interrupted();
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
