/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.testkit;

import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueAttributes;
import io.github.batchsqs.client.QueueAttributes.RedrivePolicy;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.client.QueueNotFoundException;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.EntryResult.Accepted;
import io.github.batchsqs.internal.client.EntryResult.Rejected;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.client.ReceiveCall;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.client.SentMessage;
import io.github.batchsqs.internal.client.VisibilityChange;
import io.github.batchsqs.internal.sdk.BatchResults;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.model.sqs.Batches;
import io.github.batchsqs.model.sqs.Deletion;
import io.github.batchsqs.model.sqs.ErrorCode;
import io.github.batchsqs.model.sqs.ModelQueue;
import io.github.batchsqs.model.sqs.Outcome;
import io.github.batchsqs.model.sqs.QueueSettings;
import io.github.batchsqs.model.sqs.ReceiveRequest;
import io.github.batchsqs.model.sqs.Received;
import io.github.batchsqs.model.sqs.Sent;
import io.github.batchsqs.model.sqs.SqsFailure;
import io.github.batchsqs.model.sqs.SqsModel;
import io.github.batchsqs.model.sqs.Stored;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The {@link SqsModel} as a client, on a time that tests set, with {@link Faults} on demand.
 *
 * <p>A receive returns at once, whatever its wait, unless {@link #longPolling(boolean)} is on. Calls that break a rule of SQS fail
 * as they do there, and are recorded: {@link #assertNoMisuse()}. Safe for use by any thread, by one lock.
 */
public final class InMemoryQueueClient implements QueueClient, QueueResolver {

    private static final Duration MAX_VISIBILITY = Duration.ofHours(12);
    private static final String URL_PREFIX = "https://sqs.us-east-1.amazonaws.com/000000000000/";

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final TimeSource time;
    private final long nanosAtStart;
    private final long epochNanosAtStart;
    private final InMemoryLog log = new InMemoryLog();
    private final SqsModel<InMemoryPayload> sqs = new SqsModel<>(log);
    private final Map<Operation, Counter> counters = new EnumMap<>(Operation.class);
    private final List<String> misuses = new ArrayList<>();
    private volatile Faults faults = Faults.NONE;
    private volatile boolean longPolling;

    public InMemoryQueueClient(TimeSource time) {
        this.time = time;
        Instant start = time.now();
        nanosAtStart = time.nanos();
        epochNanosAtStart = TimeUnit.SECONDS.toNanos(start.getEpochSecond()) + start.getNano();
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
            if (sqs.find(name) != null) {
                throw new IllegalArgumentException("There is a queue " + name + " already");
            }
            return queue(sqs.create(name, settings));
        });
    }

    /** Deletes a queue: calls to it fail from now on. */
    public void deleteQueue(Queue queue) {
        locked(() -> {
            sqs.delete(queue.name());
            changed.signalAll();
            return true;
        });
    }

    /** Puts messages into a standard queue, past faults and counters; returns their ids. */
    public List<String> put(Queue queue, String... bodies) {
        List<SendEntry> entries = new ArrayList<>();
        for (String body : bodies) {
            entries.add(new SendEntry(body, Map.of(), null, null, null));
        }
        return put(queue, entries);
    }

    /**
     * Puts messages of one group into a queue, past faults and counters; returns their ids. Equal bodies are different
     * messages.
     */
    public List<String> putInGroup(Queue queue, String group, String... bodies) {
        List<SendEntry> entries = new ArrayList<>();
        for (String body : bodies) {
            String deduplicationId = queue.fifo() ? UUID.randomUUID().toString() : null;
            entries.add(new SendEntry(body, Map.of(), null, group, deduplicationId));
        }
        return put(queue, entries);
    }

    /** Puts messages into a queue, past faults, counters and the limits of a call; returns their ids. */
    public List<String> put(Queue queue, List<SendEntry> entries) {
        return locked(() -> {
            List<String> ids = new ArrayList<>();
            for (SendEntry entry : entries) {
                switch (require(queue).send(InMemoryPayload.outgoing(entry), now())) {
                    case Outcome.Done<Sent> done -> ids.add(done.value().messageId());
                    case Outcome.Refused<Sent> refused -> throw new IllegalArgumentException(refused.toString());
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
        List<ReceivedMessage> answer = longPolling ? poll(call, info) : locked(() -> take(call, info));
        if (answer.isEmpty()) {
            locked(() -> ++counter(Operation.RECEIVE).empty);
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
        return batch(Operation.DELETE, queue, receiptHandles, log::subject, this::delete);
    }

    @Override
    public List<EntryResult<Void>> changeVisibility(Queue queue, List<VisibilityChange> changes)
            throws InterruptedException {
        return batch(
                Operation.CHANGE_VISIBILITY,
                queue,
                changes,
                change -> log.subject(change.receiptHandle()),
                this::change);
    }

    @Override
    public List<EntryResult<SentMessage>> send(Queue queue, List<SendEntry> entries) throws InterruptedException {
        return batch(Operation.SEND, queue, entries, SendEntry::body, this::send);
    }

    // ---- QueueResolver

    @Override
    public Queue resolve(String nameUrlOrArn) throws InterruptedException {
        Faults.Call info = begin(Operation.RESOLVE, null, 0);
        String name =
                nameUrlOrArn.substring(Math.max(nameUrlOrArn.lastIndexOf('/'), nameUrlOrArn.lastIndexOf(':')) + 1);
        ModelQueue<InMemoryPayload> found = locked(() -> sqs.find(name));
        faults.after(info);
        if (found == null) {
            throw new QueueNotFoundException(nameUrlOrArn, info.failed("QueueDoesNotExist", false));
        }
        return queue(found);
    }

    @Override
    public Queue create(String name) throws InterruptedException {
        Faults.Call info = begin(Operation.CREATE, null, 0);
        Queue queue = locked(() -> {
            ModelQueue<InMemoryPayload> there = sqs.find(name);
            return there == null ? createQueue(name) : queue(there);
        });
        faults.after(info);
        return queue;
    }

    @Override
    public QueueAttributes attributes(Queue queue) throws InterruptedException {
        Faults.Call info = begin(Operation.ATTRIBUTES, queue, 0);
        QueueSettings settings = locked(() -> existing(info, queue).settings());
        faults.after(info);
        QueueSettings.Redrive redrive = settings.redrive();
        return new QueueAttributes(
                settings.visibilityTimeout(),
                redrive == null ? null : new RedrivePolicy(redrive.deadLetterQueue(), redrive.maxReceiveCount()));
    }

    @Override
    public long depth(Queue queue) throws InterruptedException {
        Faults.Call info = begin(Operation.ATTRIBUTES, queue, 0);
        long depth = locked(() -> existing(info, queue).messages(now()).size());
        faults.after(info);
        return depth;
    }

    // ---- what a test looks at

    /** How many calls came in, those that failed included. */
    public long calls(Operation operation) {
        return locked(() -> counter(operation).calls);
    }

    /** How many receives found nothing. */
    public long emptyReceives() {
        return locked(() -> counter(Operation.RECEIVE).empty);
    }

    /** The messages that are not hidden. On FIFO, those that a hidden one of their group holds back are among them. */
    public List<StoredMessage> visible(Queue queue) {
        return stored(queue, Stored::visible);
    }

    /** The messages that were received and neither deleted nor visible again. */
    public List<StoredMessage> inFlight(Queue queue) {
        return stored(queue, Stored::inFlight);
    }

    /** Message id → how often a delete of it was answered with success, whether or not it deleted. */
    public Map<String, Integer> deleted(Queue queue) {
        return locked(() -> new LinkedHashMap<>(log.of(queue.name()).deletes));
    }

    /** The ids of all messages that receives brought, in that order, repetitions included. */
    public List<String> delivered(Queue queue) {
        return locked(() -> List.copyOf(log.of(queue.name()).delivered));
    }

    /** Fails unless the queue holds no message, neither visible nor hidden. */
    public void assertDrained(Queue queue) {
        List<Stored<InMemoryPayload>> left = locked(() -> require(queue).messages(now()));
        if (!left.isEmpty()) {
            throw new AssertionError("The queue " + queue.name() + " is not drained: " + left);
        }
    }

    /** Fails unless every message that was accepted is either still there, or deleted, or in the dead-letter queue. */
    public void assertNothingLost() {
        locked(() -> {
            for (ModelQueue<InMemoryPayload> in : sqs.queues()) {
                Set<String> lost = log.of(in.name()).present();
                in.messages(now()).forEach(message -> lost.remove(message.id()));
                if (!lost.isEmpty()) {
                    throw new AssertionError("The queue " + in.name() + " lost " + lost);
                }
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

    private long now() {
        return epochNanosAtStart + (time.nanos() - nanosAtStart);
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
                    long hidden = existing(info, call.queue()).nextVisibleAt() - now();
                    changed.await(Math.min(left, hidden), TimeUnit.NANOSECONDS);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private List<ReceivedMessage> take(ReceiveCall call, Faults.Call info) {
        ModelQueue<InMemoryPayload> in = existing(info, call.queue());
        Duration visibility = call.visibilityTimeout() == null ? null : wholeSeconds(call.visibilityTimeout());
        List<Received<InMemoryPayload>> answer = new ArrayList<>();
        if (!faults.equals(Faults.NONE)) {
            for (Stored<InMemoryPayload> message : in.messages(now())) {
                if (answer.size() < call.maxMessages()
                        && message.inFlight()
                        && faults.deliverAgain(info, message.id())) {
                    answer.add(in.receiveAgain(message, visibility, now()));
                }
            }
        }
        if (answer.isEmpty() || answer.size() < call.maxMessages()) {
            answer.addAll(receive(in, call, call.maxMessages() - answer.size(), visibility, info));
        }
        for (Received<InMemoryPayload> received : List.copyOf(answer)) {
            if (answer.size() < call.maxMessages()
                    && faults.deliverTwice(info, received.message().id())) {
                answer.add(in.receiveAgain(received.message(), visibility, now()));
            }
        }
        return answer.stream().<ReceivedMessage>map(InMemoryMessage::of).toList();
    }

    private List<Received<InMemoryPayload>> receive(
            ModelQueue<InMemoryPayload> in,
            ReceiveCall call,
            int max,
            @Nullable Duration visibility,
            Faults.Call info) {
        try {
            return in.receive(new ReceiveRequest(max, call.waitTime(), visibility, call.attemptId()), now());
        } catch (SqsFailure failure) {
            if (failure.code() == ErrorCode.OVER_LIMIT) {
                throw info.failed(failure.code().code(), true);
            }
            throw misuse(info, failure);
        }
    }

    private EntryResult<Void> delete(ModelQueue<InMemoryPayload> in, String handle) {
        Outcome<Deletion> outcome = in.delete(handle, now());
        if (outcome instanceof Outcome.Done) {
            log.of(in.name()).deletes.merge(log.subject(handle), 1, Integer::sum);
        }
        if (in.fifo()) {
            changed.signalAll(); // what is behind it in its group can be received
        }
        return result(outcome);
    }

    private EntryResult<Void> change(ModelQueue<InMemoryPayload> in, VisibilityChange change) {
        if (change.timeout().isNegative() || change.timeout().compareTo(MAX_VISIBILITY) > 0) {
            misuses.add("ChangeMessageVisibilityBatch with a timeout of " + change.timeout());
        }
        Outcome<Long> outcome = in.changeVisibility(change.receiptHandle(), wholeSeconds(change.timeout()), now());
        changed.signalAll();
        return result(outcome);
    }

    private EntryResult<SentMessage> send(ModelQueue<InMemoryPayload> in, SendEntry entry) {
        return switch (in.send(InMemoryPayload.outgoing(entry), now())) {
            case Outcome.Done<Sent>(Sent sent) -> {
                changed.signalAll();
                yield new Accepted<>(new SentMessage(sent.messageId(), sent.sequenceNumber()));
            }
            case Outcome.Refused<Sent>(ErrorCode code, String message) -> {
                boolean foreseeable = code != ErrorCode.INVALID_MESSAGE_CONTENTS
                        && new InMemoryPayload(entry).bytes() <= in.settings().maximumMessageSize();
                if (foreseeable) {
                    misuses.add("SendMessageBatch: " + message);
                }
                yield new Rejected<>(code.code(), message, false);
            }
        };
    }

    private static EntryResult<Void> result(Outcome<?> outcome) {
        return outcome instanceof Outcome.Refused<?>(ErrorCode code, String message)
                ? new Rejected<>(code.code(), message, false)
                : BatchResults.ACCEPTED;
    }

    /** SQS takes whole seconds, and this client rounds up, as those for SQS do. */
    private static Duration wholeSeconds(Duration duration) {
        return Duration.ofSeconds(duration.plusNanos(999_999_999).toSeconds());
    }

    private List<StoredMessage> stored(Queue queue, Predicate<Stored<InMemoryPayload>> which) {
        return locked(() -> require(queue).messages(now()).stream()
                .filter(which)
                .map(InMemoryPayload::snapshot)
                .toList());
    }

    private static Queue queue(ModelQueue<InMemoryPayload> queue) {
        return new Queue(queue.name(), URL_PREFIX + queue.name());
    }

    private <E, R> List<EntryResult<R>> batch(
            Operation operation, Queue queue, List<E> entries, Function<E, String> subject, Act<E, R> act)
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
            Faults.Call info,
            ModelQueue<InMemoryPayload> in,
            int index,
            E entry,
            Function<E, String> subject,
            Act<E, R> act) {
        Faults.Rejection rejection = faults.reject(info, index, subject.apply(entry));
        return rejection == null
                ? act.on(in, entry)
                : new Rejected<>(rejection.code(), "Refused by a test's wish", rejection.retryable());
    }

    private <E> void checkBatch(Faults.Call info, ModelQueue<InMemoryPayload> in, List<E> entries) {
        try {
            Batches.checkSize(entries.size());
            if (entries.getFirst() instanceof SendEntry) {
                in.checkSend(entries.stream()
                        .map(SendEntry.class::cast)
                        .map(InMemoryPayload::outgoing)
                        .toList());
            }
        } catch (SqsFailure failure) {
            throw misuse(info, failure);
        }
    }

    private QueueCallException misuse(Faults.Call info, SqsFailure failure) {
        String operation = info.operation().sqsName();
        misuses.add(operation + ": " + failure.getMessage());
        return new QueueCallException(
                operation,
                failure.code().code(),
                operation + " failed (" + failure.code().code() + "): " + failure.getMessage(),
                false,
                null);
    }

    private Faults.Call begin(Operation operation, @Nullable Queue queue, int entries) throws InterruptedException {
        Faults.Call info = locked(() -> new Faults.Call(operation, queue, ++counter(operation).calls, entries));
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        faults.before(info);
        return info;
    }

    private ModelQueue<InMemoryPayload> existing(Faults.Call info, Queue queue) {
        ModelQueue<InMemoryPayload> found = sqs.find(queue.name());
        if (found == null) {
            throw info.failed("QueueDoesNotExist", false);
        }
        return found;
    }

    private ModelQueue<InMemoryPayload> require(Queue queue) {
        ModelQueue<InMemoryPayload> found = sqs.find(queue.name());
        if (found == null) {
            throw new IllegalArgumentException("The test made no queue " + queue.name());
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
    private interface Act<E, R> {
        EntryResult<R> on(ModelQueue<InMemoryPayload> in, E entry);
    }

    private static final class Counter {
        long calls;
        long empty;
    }
}
