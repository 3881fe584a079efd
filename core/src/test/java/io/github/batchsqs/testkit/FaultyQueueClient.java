/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.client.ReceiveCall;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.client.SentMessage;
import io.github.batchsqs.internal.client.VisibilityChange;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * Puts {@link Faults} between the engine and a real server, for what no server does by itself.
 *
 * <p>Asks {@link Faults#before}, {@link Faults#after}, {@link Faults#deliverTwice} and {@link Faults#reject}; there the
 * subject is the receipt handle, or for sends the body. What {@code reject} refuses without acting does not reach the
 * server.
 */
public final class FaultyQueueClient implements QueueClient {

    private final QueueClient server;
    private final Faults faults;
    private final Map<Operation, AtomicLong> calls = new EnumMap<>(Operation.class);

    public FaultyQueueClient(QueueClient server, Faults faults) {
        this.server = server;
        this.faults = faults;
        for (Operation operation : Operation.values()) {
            calls.put(operation, new AtomicLong());
        }
    }

    @Override
    public List<ReceivedMessage> receive(ReceiveCall call) throws InterruptedException {
        Faults.Call info = begin(Operation.RECEIVE, call.queue(), 0);
        List<ReceivedMessage> answer = new ArrayList<>();
        for (ReceivedMessage message : server.receive(call)) {
            answer.add(message);
            if (faults.deliverTwice(info, message.id())) {
                answer.add(message);
            }
        }
        faults.after(info);
        return answer;
    }

    @Override
    public List<EntryResult<Void>> delete(Queue queue, List<String> receiptHandles) throws InterruptedException {
        return batch(Operation.DELETE, queue, receiptHandles, handle -> handle, server::delete);
    }

    @Override
    public List<EntryResult<Void>> changeVisibility(Queue queue, List<VisibilityChange> changes)
            throws InterruptedException {
        return batch(
                Operation.CHANGE_VISIBILITY, queue, changes, VisibilityChange::receiptHandle, server::changeVisibility);
    }

    @Override
    public List<EntryResult<SentMessage>> send(Queue queue, List<SendEntry> entries) throws InterruptedException {
        return batch(Operation.SEND, queue, entries, SendEntry::body, server::send);
    }

    private <E, R> List<EntryResult<R>> batch(
            Operation operation, Queue queue, List<E> entries, Function<E, String> subject, ServerCall<E, R> call)
            throws InterruptedException {
        Faults.Call info = begin(operation, queue, entries.size());
        List<E> reaching = new ArrayList<>(entries.size());
        List<EntryResult.Rejected<R>> refused = new ArrayList<>(entries.size());
        List<Integer> acted = new ArrayList<>(entries.size());
        for (int i = 0; i < entries.size(); i++) {
            Faults.Rejection no = faults.reject(info, i, subject.apply(entries.get(i)));
            boolean reaches = no == null || no.acted();
            acted.add(reaches ? reaching.size() : -1);
            if (reaches) {
                reaching.add(entries.get(i));
            }
            refused.add(
                    no == null
                            ? new EntryResult.Rejected<>("", "", false)
                            : new EntryResult.Rejected<>(no.code(), "refused by a test's wish", no.retryable()));
        }
        List<EntryResult<R>> answered = reaching.isEmpty() ? List.of() : call.make(queue, reaching);
        List<EntryResult<R>> results = new ArrayList<>(entries.size());
        for (int i = 0; i < entries.size(); i++) {
            boolean passes = refused.get(i).code().isEmpty();
            results.add(passes ? answered.get(acted.get(i)) : refused.get(i));
        }
        faults.after(info);
        return results;
    }

    private Faults.Call begin(Operation operation, Queue queue, int entries) throws InterruptedException {
        long number = calls.getOrDefault(operation, new AtomicLong()).incrementAndGet();
        Faults.Call info = new Faults.Call(operation, queue, number, entries);
        faults.before(info);
        return info;
    }

    /** A batch call of the server. */
    private interface ServerCall<E, R> {
        List<EntryResult<R>> make(Queue queue, List<E> entries) throws InterruptedException;
    }
}
