/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.client.ReceiveCall;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.client.SentMessage;
import io.github.batchsqs.internal.client.VisibilityChange;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Stands between a template and a server: remembers the sizes of the calls, and lets a test put faults in between. */
class SendSeam implements QueueClient {

    private final QueueClient server;
    private final List<Integer> sizes = new CopyOnWriteArrayList<>();

    SendSeam(QueueClient server) {
        this.server = server;
    }

    /** The entries of each send so far. */
    List<Integer> sizes() {
        return List.copyOf(sizes);
    }

    /** What a send does; a test overrides it. */
    List<EntryResult<SentMessage>> onSend(Queue queue, List<SendEntry> entries) throws InterruptedException {
        return server.send(queue, entries);
    }

    @Override
    public final List<EntryResult<SentMessage>> send(Queue queue, List<SendEntry> entries) throws InterruptedException {
        sizes.add(entries.size());
        return onSend(queue, entries);
    }

    @Override
    public final List<ReceivedMessage> receive(ReceiveCall call) throws InterruptedException {
        return server.receive(call);
    }

    @Override
    public final List<EntryResult<Void>> delete(Queue queue, List<String> receiptHandles) throws InterruptedException {
        return server.delete(queue, receiptHandles);
    }

    @Override
    public final List<EntryResult<Void>> changeVisibility(Queue queue, List<VisibilityChange> changes)
            throws InterruptedException {
        return server.changeVisibility(queue, changes);
    }
}
