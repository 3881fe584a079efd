/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.pull;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueAttributes;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.histories.SimulatedMessage;
import io.github.batchsqs.histories.pull.PullPlan.Fault;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.client.ReceiveCall;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.client.SentMessage;
import io.github.batchsqs.internal.client.VisibilityChange;
import io.github.batchsqs.model.sqs.ModelQueue;
import io.github.batchsqs.model.sqs.Outcome;
import io.github.batchsqs.model.sqs.ReceiveRequest;
import io.github.batchsqs.model.sqs.Received;
import io.github.batchsqs.model.sqs.TextPayload;
import io.github.batchsqs.model.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The calls of a template that receives: they take time, and go wrong when the plan says so. */
final class PullClient implements QueueClient, QueueResolver {

    private static final long BEGIN = TimeUnit.SECONDS.toNanos(VirtualTime.BEGIN.getEpochSecond());
    private static final long LOOK = Duration.ofMillis(500).toNanos();

    /** How long a call waits for a response that never comes. */
    static final long PATIENCE = Duration.ofSeconds(5).toNanos();

    private final VirtualTime time;
    private final ModelQueue<TextPayload> queue;
    private final PullPlan plan;
    private final Consumer<String> trace;
    private final Map<String, String> bodies = new HashMap<>();
    private final Set<String> leaseUnknown = new HashSet<>();
    private int calls;

    PullClient(VirtualTime time, ModelQueue<TextPayload> queue, PullPlan plan, Consumer<String> trace) {
        this.time = time;
        this.queue = queue;
        this.plan = plan;
        this.trace = trace;
    }

    String name() {
        return plan.fifo() ? "pulled.fifo" : "pulled";
    }

    long now() {
        return BEGIN + time.nanos();
    }

    /** {@return whether a change of its visibility timeout went wrong, so that only SQS knows its lease} */
    boolean isLeaseUnknown(String body) {
        return leaseUnknown.contains(body);
    }

    @Override
    public List<ReceivedMessage> receive(ReceiveCall call) throws InterruptedException {
        Fault fault = begin("ReceiveMessage");
        ReceiveRequest request =
                new ReceiveRequest(call.maxMessages(), call.waitTime(), call.visibilityTimeout(), call.attemptId());
        long until = time.nanos() + call.waitTime().toNanos();
        List<Received<TextPayload>> received = queue.receive(request, now());
        while (received.isEmpty() && time.nanos() < until) {
            time.sleep(Math.min(LOOK, until - time.nanos()));
            received = queue.receive(request, now());
        }
        List<ReceivedMessage> messages = new ArrayList<>();
        for (Received<TextPayload> each : received) {
            bodies.put(each.receiptHandle(), each.message().payload().body());
            messages.add(new SimulatedMessage(each));
        }
        end("ReceiveMessage", fault);
        return messages;
    }

    @Override
    public List<EntryResult<Void>> delete(Queue target, List<String> handles) throws InterruptedException {
        return batch("DeleteMessageBatch", handles, handle -> queue.delete(handle, now()));
    }

    @Override
    public List<EntryResult<Void>> changeVisibility(Queue target, List<VisibilityChange> changes)
            throws InterruptedException {
        if (plan.faults().containsKey(calls + 1)) {
            changes.forEach(change -> leaseUnknown.add(Objects.requireNonNull(bodies.get(change.receiptHandle()))));
        }
        return batch(
                "ChangeMessageVisibilityBatch",
                changes,
                change -> queue.changeVisibility(change.receiptHandle(), change.timeout(), now()));
    }

    @SuppressWarnings("NullAway") // Void has no value
    private <E> List<EntryResult<Void>> batch(String operation, List<E> entries, Function<E, Outcome<?>> effect)
            throws InterruptedException {
        Fault fault = begin(operation);
        int bad = fault == Fault.ENTRY_REFUSED ? time.random().nextInt(entries.size()) : -1;
        List<EntryResult<Void>> results = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            if (i == bad) {
                results.add(new EntryResult.Rejected<>("InternalError", "the plan wants it", true));
            } else if (effect.apply(entries.get(i)) instanceof Outcome.Refused<?> refused) {
                results.add(new EntryResult.Rejected<>(refused.code().code(), refused.message(), false));
            } else {
                results.add(new EntryResult.Accepted<>(null));
            }
        }
        end(operation, fault);
        return results;
    }

    private @Nullable Fault begin(String operation) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException(operation);
        }
        Fault fault = plan.faults().get(++calls);
        trace.accept("call " + calls + ", " + operation + (fault == null ? "" : ": " + fault));
        travel();
        if (fault == Fault.THROTTLED) {
            throw new QueueCallException(operation, "ThrottlingException", "the plan wants it", true, null);
        }
        if (fault == Fault.LOST_BEFORE) {
            throw lost(operation);
        }
        return fault;
    }

    private void end(String operation, @Nullable Fault fault) throws InterruptedException {
        if (fault == Fault.LOST_AFTER) {
            throw lost(operation);
        }
        travel();
    }

    private QueueCallException lost(String operation) throws InterruptedException {
        time.sleep(PATIENCE);
        return new QueueCallException(
                operation, "ConnectionFailed", "the plan wants it", true, new IOException("the plan wants it"));
    }

    private void travel() throws InterruptedException {
        time.sleep(1 + time.random().nextLong(20_000_000));
    }

    @Override
    public List<EntryResult<SentMessage>> send(Queue target, List<SendEntry> entries) {
        throw new UnsupportedOperationException("Nothing is sent");
    }

    // ---- QueueResolver

    @Override
    public Queue resolve(String name) throws InterruptedException {
        travel();
        return new Queue(name, "https://sqs.eu-central-1.amazonaws.com/1/" + name);
    }

    @Override
    public Queue create(String name) throws InterruptedException {
        return resolve(name);
    }

    @Override
    public QueueAttributes attributes(Queue target) {
        throw new UnsupportedOperationException(target.name());
    }
}
