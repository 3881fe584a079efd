/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import io.github.batchsqs.model.sqs.ModelQueue;
import io.github.batchsqs.model.sqs.Observer;
import io.github.batchsqs.model.sqs.Received;
import io.github.batchsqs.model.sqs.Stored;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What happened to the messages of an {@link InMemoryQueueClient}, under its lock. */
final class InMemoryLog implements Observer<InMemoryPayload> {

    private final Map<String, OfQueue> queues = new HashMap<>();
    private final Map<String, String> idsByHandle = new HashMap<>();

    static final class OfQueue {
        final Set<String> accepted = new HashSet<>();
        final List<String> delivered = new ArrayList<>();
        final Map<String, Integer> deletes = new LinkedHashMap<>();
        private final Set<String> left = new HashSet<>();

        /** The ids of the messages that must be in the queue. */
        Set<String> present() {
            Set<String> present = new HashSet<>(accepted);
            present.removeAll(left);
            return present;
        }
    }

    OfQueue of(String queue) {
        return queues.computeIfAbsent(queue, name -> new OfQueue());
    }

    /** The id of the message that the handle was given for, or the handle itself. */
    String subject(String handle) {
        return idsByHandle.getOrDefault(handle, handle);
    }

    @Override
    public void sent(ModelQueue<InMemoryPayload> queue, Stored<InMemoryPayload> message) {
        of(queue.name()).accepted.add(message.id());
    }

    @Override
    public void received(ModelQueue<InMemoryPayload> queue, Received<InMemoryPayload> received) {
        of(queue.name()).delivered.add(received.message().id());
        idsByHandle.put(received.receiptHandle(), received.message().id());
    }

    @Override
    public void deleted(ModelQueue<InMemoryPayload> queue, Stored<InMemoryPayload> message) {
        of(queue.name()).left.add(message.id());
    }

    @Override
    public void moved(
            ModelQueue<InMemoryPayload> source,
            ModelQueue<InMemoryPayload> deadLetterQueue,
            Stored<InMemoryPayload> message) {
        of(source.name()).left.add(message.id());
        of(deadLetterQueue.name()).accepted.add(message.id());
    }

    @Override
    public void discarded(ModelQueue<InMemoryPayload> queue, Stored<InMemoryPayload> message) {
        of(queue.name()).left.add(message.id());
    }
}
