/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.settle;

import io.github.batchsqs.MessageAttribute;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueClient;
import io.github.batchsqs.client.ReceiveCall;
import io.github.batchsqs.client.SendEntry;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.receive.fetch.Delivery;
import io.github.batchsqs.receive.fetch.InFlightLedger;
import io.github.batchsqs.receive.fetch.InFlightLimit;
import io.github.batchsqs.testkit.Faults;
import io.github.batchsqs.testkit.InMemoryQueueClient;
import io.github.batchsqs.testkit.Operation;
import io.github.batchsqs.testkit.QueueSettings;
import io.github.batchsqs.testkit.SettableTime;
import io.github.batchsqs.testkit.StoredMessage;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The stage on one queue in memory. Nothing goes out before {@link #flush}. */
final class SettleBench {

    static final Duration LEASE = Duration.ofSeconds(30);

    final SettableTime time = new SettableTime();
    final InMemoryQueueClient server = new InMemoryQueueClient(time);
    final Queue queue;
    final @Nullable Queue deadLetterQueue;
    final InFlightLimit limit = new InFlightLimit(1_000);
    final InFlightLedger ledger;
    final Settler settler;
    final VisibilityExtender extender;
    final Map<String, List<Delivery>> waiting = new HashMap<>();
    final ToldEvents events = new ToldEvents();
    private final ArrayDeque<Runnable> calls = new ArrayDeque<>();

    SettleBench(boolean fifo, boolean withDeadLetters) {
        this(fifo, withDeadLetters, true, Duration.ofHours(1));
    }

    SettleBench(boolean fifo, boolean withDeadLetters, boolean extend, Duration maxExtension) {
        String suffix = fifo ? ".fifo" : "";
        deadLetterQueue = withDeadLetters ? server.createQueue("dead" + suffix) : null;
        QueueSettings settings = QueueSettings.DEFAULT.withVisibilityTimeout(LEASE);
        queue = server.createQueue("orders" + suffix, settings);
        ledger = new InFlightLedger(fifo, LEASE, limit, time);
        SettleSettings settling =
                new SettleSettings("listener", queue, LEASE, extend, maxExtension, Duration.ofMillis(50), 2);
        QueueClient client = server;
        Calls byHand = new Calls(client, calls::add, this::await, events, time, new SplittableRandom(1));
        settler = new Settler(settling, ledger, deadLetterQueue, this::withdraw, byHand);
        extender = new VisibilityExtender(settling, ledger, settler, byHand);
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
            entries.add(new SendEntry(body, attributes, null, null, group, queue.fifo() ? body : null));
        }
        server.put(queue, entries);
    }

    /** Receives all there are; returns those that are new here. */
    List<Delivery> receive() throws InterruptedException {
        List<Delivery> all = new ArrayList<>();
        while (true) {
            long calledAt = time.nanos();
            var messages = server.receive(new ReceiveCall(queue, 10, Duration.ZERO, null, null));
            if (messages.isEmpty()) {
                return all;
            }
            InFlightLedger.Received received = ledger.receive(messages, calledAt);
            int permits = received.toRun().size()
                    + received.toDelete().size()
                    + received.toGiveBack().size();
            if (limit.tryAcquire(permits) < permits) {
                throw new IllegalStateException("no permits");
            }
            all.addAll(received.toRun());
            settler.deleteAgain(received.toDelete());
        }
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
        server.faults(new Faults() {
            @Override
            public void before(Call call) {
                if (call.operation() == operation) {
                    throw call.connectionFailed();
                }
            }
        });
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
        server.faults(new Faults() {
            @Override
            public @Nullable Rejection reject(Call call, int index, String subject) {
                return call.operation() == operation && subjects.contains(subject) ? rejection : null;
            }
        });
    }

    /** The first call of the operation overlaps a second receive of what is in flight. */
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

    private List<Delivery> withdraw(String lane) {
        List<Delivery> withdrawn = waiting.remove(lane);
        return withdrawn == null ? List.of() : withdrawn;
    }

    private void await(CompletableFuture<?> promise) throws InterruptedException, ExecutionException {
        for (int i = 0; i < 10_000 && !promise.isDone(); i++) {
            flush();
        }
        try {
            promise.get(0, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("never completed", e);
        }
    }

    /** What was told. */
    static final class ToldEvents implements ListenerEvents {

        final List<String> failedCalls = new ArrayList<>();
        final List<Integer> callSizes = new ArrayList<>();
        int acknowledged;
        int acknowledgeFailures;
        int released;
        int deadLettered;
        int extended;
        int leasesLost;

        @Override
        public void apiCall(String operation, int entries, Duration took, @Nullable String errorCode) {
            callSizes.add(entries);
            if (errorCode != null) {
                failedCalls.add(operation + " " + errorCode);
            }
        }

        @Override
        public void acknowledged(int messages) {
            acknowledged += messages;
        }

        @Override
        public void acknowledgeFailed() {
            acknowledgeFailures++;
        }

        @Override
        public void released(int messages) {
            released += messages;
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
        public void leaseLost() {
            leasesLost++;
        }
    }
}
