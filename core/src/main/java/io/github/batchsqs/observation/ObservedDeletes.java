/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.observation;

import io.github.batchsqs.batch.EntryResult;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueClient;
import io.github.batchsqs.client.ReceiveCall;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.client.SendEntry;
import io.github.batchsqs.client.SentMessage;
import io.github.batchsqs.client.VisibilityChange;
import io.micrometer.observation.Observation;
import java.util.List;

/** An observation per delete call; every other call goes on as it is. */
final class ObservedDeletes implements QueueClient {

    private final String listener;
    private final QueueClient client;
    private final Observations observations;

    ObservedDeletes(String listener, QueueClient client, Observations observations) {
        this.listener = listener;
        this.client = client;
        this.observations = observations;
    }

    @Override
    public List<EntryResult<Void>> delete(Queue queue, List<String> receiptHandles) throws InterruptedException {
        Observation observation = Observation.start(
                observations.settle(),
                () -> new SettleContext(listener, queue.name(), receiptHandles.size()),
                observations.registry());
        Observation.Scope scope = observation.openScope();
        try {
            return client.delete(queue, receiptHandles);
        } catch (InterruptedException | RuntimeException failure) {
            observation.error(failure);
            throw failure;
        } finally {
            scope.close();
            observation.stop();
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
