/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.jdbc.internal.outbox;

import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueAttributes;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.client.ReceiveCall;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.client.SentMessage;
import io.github.batchsqs.internal.client.VisibilityChange;
import io.github.batchsqs.model.sqs.ErrorCode;
import io.github.batchsqs.model.sqs.ModelQueue;
import io.github.batchsqs.model.sqs.Outcome;
import io.github.batchsqs.model.sqs.Outgoing;
import io.github.batchsqs.model.sqs.QueueSettings;
import io.github.batchsqs.model.sqs.Sent;
import io.github.batchsqs.model.sqs.SqsModel;
import io.github.batchsqs.model.sqs.TextPayload;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Queues of the model that exist as soon as something is sent, whatever their name, with faults. Nothing is received, and time stands still. */
final class FakeSqs implements QueueClient, QueueResolver {

    /** What goes wrong. */
    interface Faults {

        /** Before the look-up of a queue; what it throws fails the look-up. */
        default void beforeLookUp() {}

        /** Before a call; what it throws fails the call. May block. */
        default void before(Queue queue, List<SendEntry> entries) throws InterruptedException {}

        /** Returns why an entry is refused, or {@code null}. */
        default EntryResult.@Nullable Rejected<SentMessage> refuse(SendEntry entry) {
            return null;
        }

        /** After a call, which has put its messages into the queue; what it throws drops the response. */
        default void after(Queue queue) {}
    }

    /** Calls for some queues fail. */
    static Faults failing(String code, Predicate<Queue> which) {
        return new Faults() {
            @Override
            public void before(Queue queue, List<SendEntry> entries) {
                if (which.test(queue)) {
                    throw failure(code, false);
                }
            }
        };
    }

    /** Look-ups of queues fail. */
    static Faults notFinding(String code) {
        return new Faults() {
            @Override
            public void beforeLookUp() {
                throw failure(code, true);
            }
        };
    }

    /** Some bodies are refused for good. */
    static Faults refusing(String why, Predicate<String> which) {
        return new Faults() {
            @Override
            public EntryResult.@Nullable Rejected<SentMessage> refuse(SendEntry entry) {
                return which.test(entry.body())
                        ? new EntryResult.Rejected<>("InvalidParameterValue", why, false)
                        : null;
            }
        };
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final List<SendEntry> messages = Collections.synchronizedList(new ArrayList<>());
    private final List<SendEntry> carried = Collections.synchronizedList(new ArrayList<>());
    private final Set<String> ids = new HashSet<>();
    private final SqsModel<TextPayload> sqs = new SqsModel<>();
    private volatile Faults faults = new Faults() {};

    void faults(Faults wanted) {
        faults = wanted;
    }

    static QueueCallException failure(String code, boolean retryable) {
        return new QueueCallException("SendMessageBatch", code, "failed on purpose: " + code, retryable, null);
    }

    /** Returns the messages in the queues. */
    List<SendEntry> messages() {
        return List.copyOf(messages);
    }

    /** Returns all that was accepted, repeated deduplication ids included. */
    List<SendEntry> carried() {
        return List.copyOf(carried);
    }

    List<String> bodies() {
        return messages().stream().map(SendEntry::body).toList();
    }

    @Override
    public List<EntryResult<SentMessage>> send(Queue queue, List<SendEntry> entries) throws InterruptedException {
        Faults now = faults;
        now.before(queue, entries);
        List<EntryResult<SentMessage>> results = new ArrayList<>();
        lock.lock();
        try {
            ModelQueue<TextPayload> in = sqs.create(queue.url(), QueueSettings.DEFAULT);
            in.checkSend(entries.stream().map(FakeSqs::outgoing).toList());
            for (SendEntry entry : entries) {
                EntryResult.Rejected<SentMessage> refused = now.refuse(entry);
                if (refused != null) {
                    results.add(refused);
                    continue;
                }
                results.add(
                        switch (in.send(outgoing(entry), 0)) {
                            case Outcome.Done<Sent>(Sent sent) -> {
                                carried.add(entry);
                                if (ids.add(sent.messageId())) {
                                    messages.add(entry);
                                }
                                yield new EntryResult.Accepted<>(
                                        new SentMessage(sent.messageId(), sent.sequenceNumber()));
                            }
                            case Outcome.Refused<Sent>(ErrorCode code, String message) ->
                                new EntryResult.Rejected<>(code.code(), message, false);
                        });
            }
        } finally {
            lock.unlock();
        }
        now.after(queue);
        return results;
    }

    private static Outgoing<TextPayload> outgoing(SendEntry entry) {
        return new Outgoing<>(new TextPayload(entry.body()), entry.groupId(), entry.deduplicationId(), entry.delay());
    }

    @Override
    public Queue resolve(String nameUrlOrArn) {
        faults.beforeLookUp();
        return nameUrlOrArn.startsWith("https://")
                ? new Queue(nameUrlOrArn.substring(nameUrlOrArn.lastIndexOf('/') + 1), nameUrlOrArn)
                : new Queue(nameUrlOrArn, "http://localhost/000000000000/" + nameUrlOrArn);
    }

    @Override
    public Queue create(String name) {
        throw new UnsupportedOperationException();
    }

    @Override
    public QueueAttributes attributes(Queue queue) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<ReceivedMessage> receive(ReceiveCall call) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<EntryResult<Void>> delete(Queue queue, List<String> receiptHandles) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<EntryResult<Void>> changeVisibility(Queue queue, List<VisibilityChange> changes) {
        throw new UnsupportedOperationException();
    }
}
