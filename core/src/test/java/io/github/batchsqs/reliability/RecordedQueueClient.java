/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.reliability;

import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.client.ReceiveCall;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.client.SentMessage;
import io.github.batchsqs.internal.client.VisibilityChange;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Writes the deletes that SQS accepted into a ledger. */
final class RecordedQueueClient implements QueueClient {

    private final QueueClient client;
    private final Ledger ledger;
    private final Map<String, ReceivedMessage> received = new ConcurrentHashMap<>();

    RecordedQueueClient(QueueClient client, Ledger ledger) {
        this.client = client;
        this.ledger = ledger;
    }

    @Override
    public List<ReceivedMessage> receive(ReceiveCall call) throws InterruptedException {
        List<ReceivedMessage> messages = client.receive(call);
        messages.forEach(message -> received.put(message.receiptHandle(), message));
        return messages;
    }

    @Override
    public List<EntryResult<Void>> delete(Queue queue, List<String> receiptHandles) throws InterruptedException {
        List<EntryResult<Void>> results = client.delete(queue, receiptHandles);
        for (int i = 0; i < results.size(); i++) {
            ReceivedMessage message = received.get(receiptHandles.get(i));
            if (message != null && results.get(i) instanceof EntryResult.Accepted) {
                ledger.write(Ledger.Kind.DELETED, message.body(), message.id());
            }
        }
        return results;
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
