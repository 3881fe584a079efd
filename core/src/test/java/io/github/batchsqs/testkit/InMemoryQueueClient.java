/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import io.github.batchsqs.client.EntryResult;
import io.github.batchsqs.client.EntryResult.Accepted;
import io.github.batchsqs.client.EntryResult.Rejected;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueAttributes;
import io.github.batchsqs.client.QueueAttributes.RedrivePolicy;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.client.QueueClient;
import io.github.batchsqs.client.QueueNotFoundException;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.client.ReceiveCall;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.client.SendEntry;
import io.github.batchsqs.client.SentMessage;
import io.github.batchsqs.client.VisibilityChange;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * SQS in memory, on a time that tests set, with {@link Faults} on demand.
 *
 * <p>It behaves like the real service rather than like the servers that stand in for it: handles that
 * expire, redrive on a further receive, FIFO groups, deduplication, limits. A receive answers at once, whatever its wait,
 * unless {@link #longPolling(boolean)} is on. Calls that break a rule of SQS are answered as SQS answers them, and
 * remembered: {@link #assertNoMisuse()}. Safe for use by any thread, by one lock.
 */
public final class InMemoryQueueClient implements QueueClient, QueueResolver {

    private static final int MAX_ENTRIES = 10;
    private static final long MAX_BATCH_BYTES = 1 << 20;
    private static final String URL_PREFIX = "https://sqs.us-east-1.amazonaws.com/000000000000/";

    @SuppressWarnings("NullAway") // Void has no value
    private static final EntryResult<Void> ACCEPTED = new Accepted<>(null);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final TimeSource time;
    private final Map<String, InMemoryQueue> queues = new HashMap<>();
    private final Map<Operation, Counter> counters = new EnumMap<>(Operation.class);
    private final List<String> misuses = new ArrayList<>();
    private volatile Faults faults = Faults.NONE;
    private volatile boolean longPolling;

    public InMemoryQueueClient(TimeSource time) {
        this.time = time;
        for (Operation operation : Operation.values()) {
            counters.put(operation, new Counter());
        }
        if (time instanceof SettableTime settable) {
            settable.onAdvance(this::signal);
        }
    }

    // ---- what a test sets

    /** What goes wrong from now on. */
    public void faults(Faults newFaults) {
        faults = newFaults;
    }

    /**
     * Whether a receive waits for messages, up to its wait, as the time source counts it. Off by default. With a {@link
     * SettableTime} the wait ends when a test advances it, sends, or gives back.
     */
    public void longPolling(boolean on) {
        longPolling = on;
    }

    /** Creates a queue as SQS does without attributes. */
    public Queue createQueue(String name) {
        return createQueue(name, QueueSettings.DEFAULT);
    }

    /** Creates a queue. */
    public Queue createQueue(String name, QueueSettings settings) {
        return locked(() -> {
            Queue queue = new Queue(name, URL_PREFIX + name);
            if (queues.putIfAbsent(name, new InMemoryQueue(queue, settings, time, this::require)) != null) {
                throw new IllegalArgumentException("There is a queue " + name + " already");
            }
            return queue;
        });
    }

    /** Deletes a queue: calls to it fail from now on. */
    public void deleteQueue(Queue queue) {
        locked(() -> queues.remove(queue.name()));
        signal();
    }

    /** Puts messages into a standard queue, past faults and counters; returns their ids. */
    public List<String> put(Queue queue, String... bodies) {
        List<SendEntry> entries = new ArrayList<>();
        for (String body : bodies) {
            entries.add(new SendEntry(body, Map.of(), null, null, null, null));
        }
        return put(queue, entries);
    }

    /**
     * Puts messages of one group into a FIFO queue, past faults and counters; returns their ids. Equal bodies are
     * different messages.
     */
    public List<String> putInGroup(Queue queue, String group, String... bodies) {
        List<SendEntry> entries = new ArrayList<>();
        for (String body : bodies) {
            entries.add(new SendEntry(
                    body, Map.of(), null, null, group, UUID.randomUUID().toString()));
        }
        return put(queue, entries);
    }

    /** Puts messages into a queue, past faults, counters and the limits of a call; returns their ids. */
    public List<String> put(Queue queue, List<SendEntry> entries) {
        return locked(() -> {
            List<String> ids = new ArrayList<>();
            for (SendEntry entry : entries) {
                switch (require(queue.name()).send(entry)) {
                    case Accepted<SentMessage> sent -> ids.add(sent.value().messageId());
                    case Rejected<SentMessage> refused -> throw new IllegalArgumentException(refused.toString());
                }
            }
            changed.signalAll();
            return ids;
        });
    }

    // ---- QueueClient

    @Override
    public List<ReceivedMessage> receive(ReceiveCall call) throws InterruptedException {
        Faults.Call info = begin(Operation.RECEIVE, call.queue(), 0);
        checkReceive(info, call);
        List<ReceivedMessage> answer = longPolling ? poll(call, info) : locked(() -> take(call, info));
        if (answer.isEmpty()) {
            locked(() -> ++counter(Operation.RECEIVE).empty);
            faults.onEmptyReceive(info, call.waitTime());
            if (Thread.currentThread().isVirtual()) {
                // As a call over the network does: a poller without a wait would keep its carrier from all others.
                LockSupport.parkNanos(100_000);
            }
        }
        faults.after(info);
        return answer;
    }

    @Override
    public List<EntryResult<Void>> delete(Queue queue, List<String> receiptHandles) throws InterruptedException {
        return batch(Operation.DELETE, queue, receiptHandles, (in, handle) -> in.subject(handle), this::delete);
    }

    @Override
    public List<EntryResult<Void>> changeVisibility(Queue queue, List<VisibilityChange> changes)
            throws InterruptedException {
        return batch(
                Operation.CHANGE_VISIBILITY,
                queue,
                changes,
                (in, change) -> in.subject(change.receiptHandle()),
                this::change);
    }

    @Override
    public List<EntryResult<SentMessage>> send(Queue queue, List<SendEntry> entries) throws InterruptedException {
        return batch(Operation.SEND, queue, entries, (in, entry) -> entry.body(), this::send);
    }

    // ---- QueueResolver

    @Override
    public Queue resolve(String nameUrlOrArn) throws InterruptedException {
        Faults.Call info = begin(Operation.RESOLVE, null, 0);
        String name =
                nameUrlOrArn.substring(Math.max(nameUrlOrArn.lastIndexOf('/'), nameUrlOrArn.lastIndexOf(':')) + 1);
        InMemoryQueue found = locked(() -> queues.get(name));
        faults.after(info);
        if (found == null) {
            throw new QueueNotFoundException(nameUrlOrArn, info.failed("QueueDoesNotExist", false));
        }
        return found.queue();
    }

    @Override
    public Queue create(String name) throws InterruptedException {
        Faults.Call info = begin(Operation.CREATE, null, 0);
        Queue queue = locked(() -> {
            InMemoryQueue there = queues.get(name);
            return there == null ? createQueue(name) : there.queue();
        });
        faults.after(info);
        return queue;
    }

    @Override
    public QueueAttributes attributes(Queue queue) throws InterruptedException {
        Faults.Call info = begin(Operation.ATTRIBUTES, queue, 0);
        QueueSettings settings = locked(() -> existing(info, queue).settings());
        faults.after(info);
        return new QueueAttributes(settings.visibilityTimeout(), settings.redrive());
    }

    @Override
    public long depth(Queue queue) throws InterruptedException {
        Faults.Call info = begin(Operation.ATTRIBUTES, queue, 0);
        long depth = locked(() -> {
            InMemoryQueue in = existing(info, queue);
            return in.visible().size() + in.inFlight().size() + in.delayed().size();
        });
        faults.after(info);
        return depth;
    }

    // ---- what a test looks at

    /** How many calls came in, those that failed included. */
    public long calls(Operation operation) {
        return locked(() -> counter(operation).calls);
    }

    /** How many entries the calls carried; for receives, how many messages they delivered. */
    public long entries(Operation operation) {
        return locked(() -> counter(operation).entries);
    }

    /** How many receives found nothing. */
    public long emptyReceives() {
        return locked(() -> counter(Operation.RECEIVE).empty);
    }

    /** The messages that are not hidden. On FIFO, those that a hidden one of their group holds back are among them. */
    public List<StoredMessage> visible(Queue queue) {
        return locked(() -> require(queue.name()).visible());
    }

    /** The messages that were received and neither deleted nor visible again. */
    public List<StoredMessage> inFlight(Queue queue) {
        return locked(() -> require(queue.name()).inFlight());
    }

    /** The messages that were sent with a delay and never received yet. */
    public List<StoredMessage> delayed(Queue queue) {
        return locked(() -> require(queue.name()).delayed());
    }

    /** Message id → how often a delete of it was answered with success, whether or not it deleted. */
    public Map<String, Integer> deleted(Queue queue) {
        return locked(() -> require(queue.name()).deleted());
    }

    /** The ids of all messages that receives brought, in that order, repetitions included. */
    public List<String> delivered(Queue queue) {
        return locked(() -> require(queue.name()).delivered());
    }

    /** What lies in the queue's dead-letter queue, visible or not. */
    public List<StoredMessage> deadLetters(Queue queue) {
        return locked(() -> {
            RedrivePolicy redrive = require(queue.name()).settings().redrive();
            if (redrive == null) {
                throw new IllegalArgumentException("The queue " + queue.name() + " has no redrive policy");
            }
            InMemoryQueue deadLetterQueue = require(redrive.deadLetterQueue());
            List<StoredMessage> all = new ArrayList<>(deadLetterQueue.visible());
            all.addAll(deadLetterQueue.inFlight());
            all.addAll(deadLetterQueue.delayed());
            return all;
        });
    }

    /** Fails unless the queue holds no message, neither visible nor hidden. */
    public void assertDrained(Queue queue) {
        locked(() -> {
            InMemoryQueue in = require(queue.name());
            if (!in.visible().isEmpty()
                    || !in.inFlight().isEmpty()
                    || !in.delayed().isEmpty()) {
                throw new AssertionError("The queue " + queue.name() + " is not drained: visible " + in.visible()
                        + ", in flight " + in.inFlight() + ", delayed " + in.delayed());
            }
            return true;
        });
    }

    /** Fails unless every message that was accepted is either still there, or deleted, or in the dead-letter queue. */
    public void assertNothingLost() {
        locked(() -> {
            for (InMemoryQueue in : queues.values()) {
                if (!in.lost().isEmpty()) {
                    throw new AssertionError("The queue " + in.queue().name() + " lost " + in.lost());
                }
            }
            return true;
        });
    }

    /**
     * Fails unless every message that the queue accepted was in this collection of ids: for tests that collect what
     * their handler was given.
     */
    public void assertAllAmong(Queue queue, Iterable<String> ids) {
        locked(() -> {
            Set<String> missing = new HashSet<>(require(queue.name()).accepted());
            ids.forEach(missing::remove);
            if (!missing.isEmpty()) {
                throw new AssertionError("Never seen of the queue " + queue.name() + ": " + missing);
            }
            return true;
        });
    }

    /** Fails if a call broke a rule of SQS. */
    public void assertNoMisuse() {
        locked(() -> {
            if (!misuses.isEmpty()) {
                throw new AssertionError("Calls that SQS refuses: " + misuses);
            }
            return true;
        });
    }

    // ---- how

    static EntryResult<Void> accepted() {
        return ACCEPTED;
    }

    private List<ReceivedMessage> poll(ReceiveCall call, Faults.Call info) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long from = time.nanos();
            while (true) {
                List<ReceivedMessage> answer = take(call, info);
                long left = call.waitTime().toNanos() - (time.nanos() - from);
                if (!answer.isEmpty() || left <= 0) {
                    return answer;
                }
                if (time instanceof SettableTime) {
                    changed.await();
                } else {
                    long nanos = Math.min(left, existing(info, call.queue()).nextVisible());
                    changed.await(nanos, TimeUnit.NANOSECONDS);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private List<ReceivedMessage> take(ReceiveCall call, Faults.Call info) {
        InMemoryQueue in = existing(info, call.queue());
        List<ReceivedMessage> answer = List.of();
        if (!in.full()) {
            answer = in.receive(call, faults, info);
        } else if (!call.queue().fifo() && call.waitTime().isZero()) {
            throw info.failed("OverLimit", true);
        }
        counter(Operation.RECEIVE).entries += answer.size();
        return answer;
    }

    private EntryResult<Void> delete(InMemoryQueue in, String handle) {
        EntryResult<Void> result = in.delete(handle);
        if (in.queue().fifo()) {
            changed.signalAll(); // what is behind it in its group can be received
        }
        return result;
    }

    private EntryResult<Void> change(InMemoryQueue in, VisibilityChange change) {
        if (outside(change.timeout(), Duration.ofHours(12))) {
            misuses.add("ChangeMessageVisibilityBatch with a timeout of " + change.timeout());
            return new Rejected<>("InvalidParameterValue", "VisibilityTimeout must be 0 to 43200 seconds", false);
        }
        EntryResult<Void> result = in.changeVisibility(change.receiptHandle(), change.timeout());
        changed.signalAll();
        return result;
    }

    private EntryResult<SentMessage> send(InMemoryQueue in, SendEntry entry) {
        String misuse = misuse(in, entry);
        if (misuse != null) {
            misuses.add("SendMessageBatch " + misuse);
            return new Rejected<>("InvalidParameterValue", misuse, false);
        }
        EntryResult<SentMessage> result = in.send(entry);
        changed.signalAll();
        return result;
    }

    private static @Nullable String misuse(InMemoryQueue in, SendEntry entry) {
        if (entry.attributes().size() > 10) {
            return "with " + entry.attributes().size() + " attributes";
        }
        if (entry.body().isEmpty()) {
            return "with an empty body";
        }
        if (entry.delay() != null && in.queue().fifo()) {
            return "with a delay per message on a FIFO queue";
        }
        if (entry.delay() != null && outside(entry.delay(), Duration.ofMinutes(15))) {
            return "with a delay of " + entry.delay();
        }
        if (tooLong(entry.groupId()) || tooLong(entry.deduplicationId())) {
            return "with a group or deduplication id that is empty or has more than 128 characters";
        }
        if (entry.deduplicationId() != null && !in.queue().fifo()) {
            return "with a deduplication id on a standard queue";
        }
        return null;
    }

    private static boolean tooLong(@Nullable String id) {
        return id != null && (id.isEmpty() || id.length() > 128);
    }

    private static boolean outside(Duration duration, Duration most) {
        return duration.isNegative() || duration.compareTo(most) > 0;
    }

    private <E, R> List<EntryResult<R>> batch(
            Operation operation, Queue queue, List<E> entries, Subject<E> subject, Act<E, R> act)
            throws InterruptedException {
        Faults.Call info = begin(operation, queue, entries.size());
        List<EntryResult<R>> results = locked(() -> {
            checkBatch(info, existing(info, queue), entries);
            List<EntryResult<R>> answer = new ArrayList<>(entries.size());
            for (int i = 0; i < entries.size(); i++) {
                answer.add(entry(info, existing(info, queue), i, entries.get(i), subject, act));
            }
            return answer;
        });
        faults.after(info);
        return results;
    }

    private <E, R> EntryResult<R> entry(
            Faults.Call info, InMemoryQueue in, int index, E entry, Subject<E> subject, Act<E, R> act) {
        Faults.Rejection rejection = faults.reject(info, index, subject.of(in, entry));
        if (rejection == null) {
            return act.on(in, entry);
        }
        if (rejection.acted()) {
            act.on(in, entry);
        }
        return new Rejected<>(rejection.code(), "Refused by a test's wish", rejection.retryable());
    }

    private void checkReceive(Faults.Call info, ReceiveCall call) {
        locked(() -> {
            if (call.maxMessages() < 1 || call.maxMessages() > MAX_ENTRIES) {
                throw misuse(info, "InvalidParameterValue", "maxMessages " + call.maxMessages());
            }
            if (outside(call.waitTime(), Duration.ofSeconds(20))) {
                throw misuse(info, "InvalidParameterValue", "waitTime " + call.waitTime());
            }
            if (call.visibilityTimeout() != null && outside(call.visibilityTimeout(), Duration.ofHours(12))) {
                throw misuse(info, "InvalidParameterValue", "visibilityTimeout " + call.visibilityTimeout());
            }
            if (call.attemptId() != null && !call.queue().fifo()) {
                throw misuse(info, "InvalidParameterValue", "attemptId on a standard queue");
            }
            return true;
        });
    }

    private <E> void checkBatch(Faults.Call info, InMemoryQueue in, List<E> entries) {
        if (entries.isEmpty()) {
            throw misuse(info, "EmptyBatchRequest", "no entries");
        }
        if (entries.size() > MAX_ENTRIES) {
            throw misuse(info, "TooManyEntriesInBatchRequest", entries.size() + " entries");
        }
        long size = 0;
        for (E entry : entries) {
            if (entry instanceof SendEntry sent) {
                size += InMemoryQueue.sizeOf(sent);
                if (in.queue().fifo() && sent.groupId() == null) {
                    throw misuse(info, "MissingParameter", "no group id on a FIFO queue");
                }
                if (in.queue().fifo()
                        && sent.deduplicationId() == null
                        && !in.settings().contentBasedDeduplication()) {
                    throw misuse(info, "InvalidParameterValue", "no deduplication id on a FIFO queue");
                }
            }
        }
        if (size > MAX_BATCH_BYTES) {
            throw misuse(info, "BatchRequestTooLong", size + " bytes");
        }
    }

    private QueueCallException misuse(Faults.Call info, String code, String what) {
        misuses.add(info.operation().sqsName() + ": " + what);
        return new QueueCallException(
                info.operation().sqsName(),
                code,
                info.operation().sqsName() + " failed (" + code + "): " + what,
                false,
                null);
    }

    private Faults.Call begin(Operation operation, @Nullable Queue queue, int entries) throws InterruptedException {
        Faults.Call info = locked(() -> {
            Counter counter = counter(operation);
            counter.entries += entries;
            return new Faults.Call(operation, queue, ++counter.calls, entries);
        });
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        faults.before(info);
        return info;
    }

    private InMemoryQueue existing(Faults.Call info, Queue queue) {
        InMemoryQueue found = queues.get(queue.name());
        if (found == null) {
            throw info.failed("QueueDoesNotExist", false);
        }
        return found;
    }

    private InMemoryQueue require(String name) {
        InMemoryQueue found = queues.get(name);
        if (found == null) {
            throw new IllegalArgumentException("The test made no queue " + name);
        }
        return found;
    }

    private Counter counter(Operation operation) {
        Counter counter = counters.get(operation);
        if (counter == null) {
            throw new IllegalStateException(operation.name());
        }
        return counter;
    }

    private void signal() {
        lock.lock();
        try {
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private <T extends @Nullable Object> T locked(Supplier<T> action) {
        lock.lock();
        try {
            return action.get();
        } finally {
            lock.unlock();
        }
    }

    @FunctionalInterface
    private interface Subject<E> {
        String of(InMemoryQueue in, E entry);
    }

    @FunctionalInterface
    private interface Act<E, R> {
        EntryResult<R> on(InMemoryQueue in, E entry);
    }

    private static final class Counter {
        long calls;
        long entries;
        long empty;
    }
}
