/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.settle;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.internal.batch.Batcher;
import io.github.batchsqs.internal.client.ReceiveCall;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.Groups;
import io.github.batchsqs.internal.receive.delivery.InFlightLedger;
import io.github.batchsqs.internal.receive.delivery.InFlightLimit;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.receive.delivery.MessageMemory;
import io.github.batchsqs.internal.receive.delivery.Settlement;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.model.sqs.QueueSettings;
import io.github.batchsqs.testkit.Deliveries;
import io.github.batchsqs.testkit.EventMethods;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.SettableTime;
import io.github.batchsqs.testkit.Sources;
import io.github.batchsqs.testkit.StoredMessage;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The stage on one queue in memory. Nothing goes out before {@link #flush}. */
final class SettleBench implements Groups {

    static final int MAX_RECEIVE_COUNT = 3;

    static final Duration LEASE = Duration.ofSeconds(30);

    final SettableTime time = new SettableTime();
    final InMemoryQueueClient server = new InMemoryQueueClient(time);
    final Queue queue;
    final @Nullable Queue deadLetterQueue;
    final InFlightLimit limit = new InFlightLimit(1_000, MessageMemory.unlimited());
    final InFlightLedger ledger;
    final Settler settler;
    final VisibilityExtender extender;
    final Map<String, List<Delivery>> waiting = new HashMap<>();
    final Set<String> lost = new HashSet<>();
    final List<Delivery> requeued = new ArrayList<>();
    int requeuedAlone;
    final List<TriedAgain> triedAgain = new ArrayList<>();
    final @Nullable InProcessRetries retries;
    boolean roomToWait = true;
    final ToldEvents events = new ToldEvents();
    final List<Throwable> failures = new ArrayList<>();

    /** Thrown when messages of a group are requeued. */
    @Nullable
    RuntimeException requeueThrows;

    private final ArrayDeque<Runnable> calls = new ArrayDeque<>();

    SettleBench(boolean fifo, boolean withDeadLetters) {
        this(fifo, withDeadLetters, true, Duration.ofHours(1));
    }

    SettleBench(boolean fifo, boolean withDeadLetters, boolean extend, Duration maxExtension) {
        this(fifo, withDeadLetters, extend, maxExtension, false);
    }

    /** A FIFO queue with in-process retries. */
    static SettleBench retryingHere(boolean extend, Duration maxExtension) {
        return new SettleBench(true, true, extend, maxExtension, true);
    }

    private SettleBench(
            boolean fifo, boolean withDeadLetters, boolean extend, Duration maxExtension, boolean retryHere) {
        String suffix = fifo ? ".fifo" : "";
        deadLetterQueue = withDeadLetters ? server.createQueue("dead" + suffix) : null;
        QueueSettings settings = QueueSettings.DEFAULT.withVisibilityTimeout(LEASE);
        queue = server.createQueue("orders" + suffix, settings);
        ledger = new InFlightLedger(fifo, LEASE, limit, time, untracked -> {});
        ListenerQueue source =
                Sources.of(options(queue, extend, maxExtension), queue, LEASE, server, events, time, failures::add);
        retries = retryHere ? new InProcessRetries(MAX_RECEIVE_COUNT) : null;
        settler = new Settler(source, calls::add, calls::add, ledger, deadLetterQueue, retries, this);
        extender = settler.extender();
    }

    /** Returns for how long calls of a kind fail. */
    Duration failingFor(Operation operation) {
        int kind = operation == Operation.DELETE ? 0 : operation == Operation.CHANGE_VISIBILITY ? 1 : 2;
        FailingCalls failing = settler.failing().get(kind);
        assertThat(failing.meaning().what() + " needs " + failing.meaning().permission())
                .isEqualTo(List.of(
                                "delete needs sqs:DeleteMessage",
                                "visibility change needs sqs:ChangeMessageVisibility",
                                "message for the dead-letter queue needs sqs:SendMessage on the dead-letter queue")
                        .get(kind));
        return failing.lasting();
    }

    /** A listener that gathers calls for 50 ms. */
    static ListenerOptions options(Queue queue, boolean extend, Duration maxExtension) {
        return ListenerOptions.builder("listener", queue.name())
                .visibility(new ListenerOptions.Visibility(null, extend ? maxExtension : Duration.ZERO))
                .acknowledge(new ListenerOptions.Acknowledge(
                        ListenerOptions.AcknowledgeMode.ON_SUCCESS, Duration.ofMillis(50)))
                .build();
    }

    /** Sends messages (a body such as {@code a-1} belongs to the group {@code a}) and receives all there are. */
    List<Delivery> receive(String... bodies) throws InterruptedException {
        put(Map.of(), bodies);
        return receive();
    }

    void put(Map<String, MessageAttribute> attributes, String... bodies) {
        List<SendEntry> entries = new ArrayList<>();
        for (String body : bodies) {
            String group = queue.fifo() ? body.substring(0, body.indexOf('-')) : null;
            entries.add(new SendEntry(body, attributes, null, group, queue.fifo() ? body : null));
        }
        server.put(queue, entries);
    }

    /** Receives all there are; returns those that are new here. */
    List<Delivery> receive() throws InterruptedException {
        return receiveAfter(Duration.ZERO);
    }

    /** Receives all there are, by a long poll that waited so long for them. */
    List<Delivery> receiveAfter(Duration wait) throws InterruptedException {
        List<Delivery> all = new ArrayList<>();
        while (true) {
            long calledAt = time.nanos();
            time.advance(all.isEmpty() ? wait : Duration.ZERO);
            var messages = server.receive(new ReceiveCall(queue, 10, Duration.ZERO, null, null));
            if (messages.isEmpty()) {
                return all;
            }
            InFlightLedger.Received received = ledger.receive(messages, calledAt, wait);
            int permits = received.toRun().size()
                    + received.toDelete().size()
                    + received.toReturn().size();
            if (limit.tryAcquire(permits) < permits) {
                throw new IllegalStateException("no permits");
            }
            all.addAll(received.toRun());
            settler.deleteAgain(received.toDelete());
        }
    }

    /** Settles messages, each by its settlement. */
    void settle(List<Delivery> batch, List<? extends Settlement> settlements) {
        for (int i = 0; i < batch.size(); i++) {
            batch.get(i).decide(settlements.get(i));
        }
        settler.settle(batch);
    }

    /** Lets everything go out whose linger has passed, and be answered. */
    void flush() {
        time.advance(Duration.ofMillis(50));
        settler.batchers().forEach(batcher -> batcher.tick());
        runCalls();
    }

    /** Calls that have begun are answered. */
    void runCalls() {
        for (Runnable call = calls.poll(); call != null; call = calls.poll()) {
            call.run();
        }
    }

    /** Of the calls that have begun, the one that began first is answered. */
    void answerFirst() {
        calls.remove().run();
    }

    /** Of the calls that have begun, the one that began last is answered. */
    void answerLast() {
        calls.removeLast().run();
    }

    /** What waits goes out without linger; the answers are still to come. */
    CompletableFuture<Void> beginFlush() {
        return CompletableFuture.allOf(settler.batchers().map(Batcher::flush).toArray(CompletableFuture<?>[]::new));
    }

    int begunCalls() {
        return calls.size();
    }

    /** Lets time pass in small steps, as the timers see it. */
    void pass(Duration duration) {
        for (long left = duration.toMillis(); left > 0; left -= 50) {
            flush();
        }
    }

    List<String> visible() {
        return server.visible(queue).stream().map(StoredMessage::body).toList();
    }

    List<String> inFlight() {
        return server.inFlight(queue).stream().map(StoredMessage::body).toList();
    }

    List<StoredMessage> deadLetters() {
        return server.visible(Objects.requireNonNull(deadLetterQueue));
    }

    /** A fault for each call of one operation, as long as it is set. */
    void fail(Operation operation) {
        server.faults(Faults.failing(operation));
    }

    /** Each call of one operation lacks the permission, as long as it is set. */
    void deny(Operation operation) {
        server.faults(Faults.failing(operation, call -> call.failed("AccessDenied", false)));
    }

    /** Runs the action during the first call of the operation, before SQS responds, or instead of a response. */
    void duringFirst(Operation operation, Faults.Action action) {
        AtomicBoolean first = new AtomicBoolean(true);
        server.faults(Faults.before(operation, call -> {
            if (first.getAndSet(false)) {
                action.run(call);
            }
        }));
    }

    /** Refuses entries for messages with these bodies. */
    void reject(Operation operation, Faults.Rejection rejection, String... bodies) {
        Map<String, String> ids = new HashMap<>();
        for (StoredMessage message : server.inFlight(queue)) {
            ids.put(message.body(), message.id());
        }
        List<String> subjects = new ArrayList<>();
        for (String body : bodies) {
            subjects.add(operation == Operation.SEND ? body : String.valueOf(ids.get(body)));
        }
        server.faults(Faults.refusing(
                (call, subject) -> call.operation() == operation && subjects.contains(subject) ? rejection : null));
    }

    /** The first call of the operation overlaps a second receive of what is in flight, before SQS has acted. */
    void receiveAgainDuring(Operation operation) {
        AtomicBoolean again = new AtomicBoolean();
        AtomicBoolean first = new AtomicBoolean(true);
        server.faults(new Faults() {
            @Override
            public void before(Call call) throws InterruptedException {
                if (call.operation() == operation && first.getAndSet(false)) {
                    again.set(true);
                    List<Delivery> fresh = receive();
                    if (!fresh.isEmpty()) {
                        throw new AssertionError("Not held here: " + fresh);
                    }
                }
            }

            @Override
            public boolean deliverAgain(Call call, String messageId) {
                return again.getAndSet(false);
            }
        });
    }

    @Override
    public List<Delivery> lose(Delivery delivery) {
        String group = Objects.requireNonNull(delivery.group());
        lost.add(group);
        ledger.tracked().stream()
                .filter(each -> group.equals(each.group()) && each.number() >= delivery.number())
                .forEach(Delivery::lose);
        return removeWaiting(group);
    }

    @Override
    public boolean requeue(List<Delivery> deliveries, int alone, @Nullable Long notBefore) {
        if (requeueThrows != null) {
            throw requeueThrows;
        }
        if (deliveries.stream().anyMatch(Delivery::isLost)) {
            return false;
        }
        if (notBefore == null) {
            requeuedAlone = alone;
            return requeued.addAll(deliveries);
        }
        return roomToWait
                && triedAgain.add(new TriedAgain(
                        Deliveries.bodies(deliveries), alone, Duration.ofNanos(notBefore - time.nanos())));
    }

    @Override
    public void settled(Collection<Delivery> deliveries) {}

    /** Messages that wait for a retry. */
    record TriedAgain(List<String> bodies, int alone, Duration in) {}

    @Override
    public List<Delivery> removeWaiting(String group) {
        List<Delivery> removed = waiting.remove(group);
        return removed == null ? List.of() : removed;
    }

    /** What was told. */
    static final class ToldEvents implements EventMethods {

        final List<String> failedCalls = new ArrayList<>();
        final List<Integer> callSizes = new ArrayList<>();
        int acknowledgeFailures;
        int deadLettered;
        int extended;
        int leasesLost;

        final List<String> unexpected = new ArrayList<>();

        /** Runs in the event that a delete failed. */
        Runnable onAcknowledgeFailed = () -> {};

        @Override
        public void apiCall(String operation, int entries, Duration took, @Nullable String errorCode) {
            callSizes.add(entries);
            if (errorCode != null) {
                failedCalls.add(operation + " " + errorCode);
            }
        }

        @Override
        public void acknowledgeFailed() {
            acknowledgeFailures++;
            onAcknowledgeFailed.run();
        }

        @Override
        public void deadLettered() {
            deadLettered++;
        }

        @Override
        public void leaseExtended(int messages) {
            extended += messages;
        }

        @Override
        public void unexpected(String stage, Throwable failure) {
            unexpected.add(stage + " " + failure.getMessage());
        }

        @Override
        public void leaseLost() {
            leasesLost++;
        }
    }
}
