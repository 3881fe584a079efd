/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories;

import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueAttributes;
import io.github.batchsqs.client.QueueAttributes.RedrivePolicy;
import io.github.batchsqs.histories.Step.Fault;
import io.github.batchsqs.histories.laws.Receive;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.ReceiveCall;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.client.SentMessage;
import io.github.batchsqs.internal.client.VisibilityChange;
import io.github.batchsqs.model.sqs.ModelQueue;
import io.github.batchsqs.model.sqs.Outcome;
import io.github.batchsqs.model.sqs.Outgoing;
import io.github.batchsqs.model.sqs.ReceiveRequest;
import io.github.batchsqs.model.sqs.Received;
import io.github.batchsqs.model.sqs.Sent;
import io.github.batchsqs.model.sqs.TextPayload;
import io.github.batchsqs.model.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The calls of one instance: they take time, and go wrong when the plan says so. */
final class SimulatedClient extends ModelClient {

    /** How long a call waits for a response that never comes, beside the wait of a receive. */
    private static final long PATIENCE = Duration.ofSeconds(5).toNanos();

    private static final long LATE = Duration.ofSeconds(4).toNanos();
    private static final long MAX_LATENCY = Duration.ofMillis(30).toNanos();

    private final SimulatedSqs sqs;
    private final Instance instance;
    private final RandomGenerator random;
    private final Setup setup;

    SimulatedClient(SimulatedSqs sqs, Instance instance, VirtualTime time, Setup setup) {
        super(time, sqs.queue);
        this.sqs = sqs;
        this.instance = instance;
        this.random = time.random();
        this.setup = setup;
    }

    @Override
    public List<ReceivedMessage> receive(ReceiveCall call) throws InterruptedException {
        Fault fault = instance.faultOf("receive");
        travel("ReceiveMessage", fault, call.waitTime().toNanos());
        int max = fault == Fault.ENTRY_MISSING ? 1 : call.maxMessages();
        ReceiveRequest request = new ReceiveRequest(max, call.waitTime(), call.visibilityTimeout(), call.attemptId());
        long until = time.nanos() + call.waitTime().toNanos();
        List<Received<TextPayload>> received = take(request, fault);
        while (received.isEmpty() && time.nanos() < until) {
            sqs.await(until);
            received = take(request, fault);
        }
        back("ReceiveMessage", fault, call.waitTime().toNanos());
        return received.stream()
                .<ReceivedMessage>map(message -> new SimulatedMessage(message))
                .toList();
    }

    private List<Received<TextPayload>> take(ReceiveRequest request, @Nullable Fault fault) {
        instance.excuses(fault == Fault.LOST_AFTER || fault == Fault.LATE ? "its receive was " + fault : null);
        sqs.callOf(instance);
        List<Received<TextPayload>> received = queue.receive(request, now());
        if (fault == Fault.DUPLICATE && !received.isEmpty()) {
            Received<TextPayload> first = received.getFirst();
            instance.excuses("it was delivered twice");
            Receive receive = instance.truth().receive(first.receiptHandle());
            receive.excuse("it was delivered twice");
            receive.makeUnknowable();
            List<Received<TextPayload>> twice = new ArrayList<>(received);
            twice.set(0, queue.receiveAgain(first.message(), request.visibilityTimeout(), now()));
            received = twice;
        }
        instance.excuses(null);
        if (fault == Fault.LATE) {
            received.forEach(
                    late -> instance.truth().receive(late.receiptHandle()).makeUnknowable());
        }
        return received;
    }

    @Override
    public List<EntryResult<Void>> delete(Queue target, List<String> handles) throws InterruptedException {
        instance.truth().called("delete");
        handles.forEach(handle -> instance.truth().called("delete entry"));
        return batch("DeleteMessageBatch", "delete", handles, handle -> {
            Outcome<?> outcome = queue.delete(handle, now());
            sqs.changed();
            return result(outcome);
        });
    }

    @Override
    public List<EntryResult<Void>> changeVisibility(Queue target, List<VisibilityChange> changes)
            throws InterruptedException {
        return batch("ChangeMessageVisibilityBatch", "visibility", changes, change -> {
            Outcome<Long> outcome = queue.changeVisibility(change.receiptHandle(), change.timeout(), now());
            sqs.changed();
            return result(outcome);
        });
    }

    @Override
    public List<EntryResult<SentMessage>> send(Queue target, List<SendEntry> entries) throws InterruptedException {
        ModelQueue<TextPayload> copies = sqs.model.queue(target.name());
        return batch("SendMessageBatch", "send", entries, entry -> {
            sqs.callOf(instance);
            Outcome<Sent> outcome = copies.send(
                    new Outgoing<>(
                            new TextPayload(entry.body()), entry.groupId(), entry.deduplicationId(), entry.delay()),
                    now());
            sqs.changed();
            return switch (outcome) {
                case Outcome.Done<Sent> done ->
                    new EntryResult.Accepted<>(new SentMessage(
                            done.value().messageId(), done.value().sequenceNumber()));
                case Outcome.Refused<Sent> refused -> rejected(refused);
            };
        });
    }

    private <E, R> List<EntryResult<R>> batch(
            String operation, String name, List<E> entries, Function<E, EntryResult<R>> effect)
            throws InterruptedException {
        Fault fault = instance.faultOf(name);
        excuse(entries, fault);
        travel(operation, fault, 0);
        List<EntryResult<R>> results = new ArrayList<>();
        int bad = fault == Fault.ENTRY_REFUSED || fault == Fault.ENTRY_MISSING ? random.nextInt(entries.size()) : -1;
        for (int i = 0; i < entries.size(); i++) {
            if (i != bad) {
                results.add(effect.apply(entries.get(i)));
            } else if (fault == Fault.ENTRY_REFUSED) {
                results.add(new EntryResult.Rejected<>("InternalError", "the plan wants it", true));
            } else {
                if (random.nextBoolean()) {
                    var unused = effect.apply(entries.get(i));
                }
                results.add(new EntryResult.Rejected<>("MissingInResponse", "the plan wants it", true, true));
            }
        }
        excuse(entries, fault);
        instance.note(() -> instance + ": " + operation + " of " + receives(entries) + " brings " + results);
        back(operation, fault, 0);
        return results;
    }

    /** Their leases may suffer, and those of messages behind them in their groups. */
    private void excuse(List<?> entries, @Nullable Fault fault) {
        if (fault == null) {
            return;
        }
        for (Object entry : entries) {
            if (entry instanceof SendEntry copy) {
                instance.truth().find(copy.body()).lane.disturbed = true;
            }
            String handle = handleOf(entry);
            if (handle != null) {
                Receive receive = instance.truth().receive(handle);
                receive.excuse("a call for it was " + fault);
                receive.message.lane.disturbed = true;
                if (entry instanceof VisibilityChange) { // in one call at a time for a group
                    instance.truth().excuseGroup(receive.message, "a call for its group was " + fault);
                } else {
                    instance.truth().excuseBehind(receive.message, "a call for one before it was " + fault);
                }
            }
        }
    }

    private static @Nullable String handleOf(Object entry) {
        return entry instanceof VisibilityChange change
                ? change.receiptHandle()
                : entry instanceof String handle ? handle : null;
    }

    private List<Receive> receives(List<?> entries) {
        List<Receive> receives = new ArrayList<>();
        for (Object entry : entries) {
            String handle = handleOf(entry);
            if (handle != null) {
                receives.add(instance.truth().receive(handle));
            }
        }
        return receives;
    }

    private void travel(String operation, @Nullable Fault fault, long wait) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException(operation);
        }
        travel();
        if (fault == Fault.LOST_BEFORE) {
            time.sleep(wait + PATIENCE);
            throw lost(operation);
        }
        if (fault == Fault.THROTTLED) {
            throw throttled(operation);
        }
    }

    private void back(String operation, @Nullable Fault fault, long wait) throws InterruptedException {
        if (fault == Fault.LOST_AFTER) {
            time.sleep(wait + PATIENCE);
            throw lost(operation);
        }
        if (fault == Fault.LATE) {
            boolean stubborn = random.nextInt(3) == 0;
            late(time.nanos() + random.nextLong(stubborn ? 5 * LATE : LATE), stubborn);
        }
        travel();
    }

    /** Some calls do not end by an interrupt. */
    private void late(long until, boolean stubborn) throws InterruptedException {
        while (time.nanos() < until) {
            try {
                time.sleep(until - time.nanos());
            } catch (InterruptedException e) {
                if (!stubborn) {
                    throw e;
                }
            }
        }
    }

    @Override
    protected void travel() throws InterruptedException {
        time.sleep(1 + random.nextLong(random.nextLong(MAX_LATENCY)));
    }

    @Override
    public QueueAttributes attributes(Queue target) throws InterruptedException {
        travel();
        return new QueueAttributes(setup.lease(), new RedrivePolicy(setup.deadLetters(), setup.maxReceives()));
    }
}
