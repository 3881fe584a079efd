/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.pull;

import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueAttributes;
import io.github.batchsqs.histories.ModelClient;
import io.github.batchsqs.histories.SimulatedMessage;
import io.github.batchsqs.histories.pull.PullPlan.Fault;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.ReceiveCall;
import io.github.batchsqs.internal.client.VisibilityChange;
import io.github.batchsqs.model.sqs.ModelQueue;
import io.github.batchsqs.model.sqs.Received;
import io.github.batchsqs.model.sqs.TextPayload;
import io.github.batchsqs.model.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The calls of a template that receives: they take time, and go wrong when the plan says so. */
final class PullClient extends ModelClient {

    /** How long a call waits for a response that never comes. */
    static final long PATIENCE = Duration.ofSeconds(5).toNanos();

    private final PullPlan plan;
    private final Consumer<String> trace;
    private final Map<String, String> bodies = new HashMap<>();
    private final Set<String> leaseUnknown = new HashSet<>();
    private int calls;

    PullClient(VirtualTime time, ModelQueue<TextPayload> queue, PullPlan plan, Consumer<String> trace) {
        super(time, queue);
        this.plan = plan;
        this.trace = trace;
    }

    String name() {
        return plan.fifo() ? "pulled.fifo" : "pulled";
    }

    /** {@return whether a change of its visibility timeout went wrong, so that only SQS knows its lease} */
    boolean isLeaseUnknown(String body) {
        return leaseUnknown.contains(body);
    }

    @Override
    public List<ReceivedMessage> receive(ReceiveCall call) throws InterruptedException {
        Fault fault = begin("ReceiveMessage");
        List<ReceivedMessage> messages = new ArrayList<>();
        for (Received<TextPayload> each : poll(call)) {
            bodies.put(each.receiptHandle(), each.message().payload().body());
            messages.add(new SimulatedMessage(each));
        }
        end("ReceiveMessage", fault);
        return messages;
    }

    @Override
    public List<EntryResult<Void>> delete(Queue target, List<String> handles) throws InterruptedException {
        return batch("DeleteMessageBatch", handles, handle -> result(queue.delete(handle, now())));
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
                change -> result(queue.changeVisibility(change.receiptHandle(), change.timeout(), now())));
    }

    private <E> List<EntryResult<Void>> batch(String operation, List<E> entries, Function<E, EntryResult<Void>> effect)
            throws InterruptedException {
        Fault fault = begin(operation);
        int bad = fault == Fault.ENTRY_REFUSED ? time.random().nextInt(entries.size()) : -1;
        List<EntryResult<Void>> results = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            results.add(
                    i == bad
                            ? new EntryResult.Rejected<>("InternalError", "the plan wants it", true)
                            : effect.apply(entries.get(i)));
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
            throw throttled(operation);
        }
        if (fault == Fault.LOST_BEFORE) {
            time.sleep(PATIENCE);
            throw lost(operation);
        }
        return fault;
    }

    private void end(String operation, @Nullable Fault fault) throws InterruptedException {
        if (fault == Fault.LOST_AFTER) {
            time.sleep(PATIENCE);
            throw lost(operation);
        }
        travel();
    }

    @Override
    public QueueAttributes attributes(Queue target) {
        throw new UnsupportedOperationException(target.name());
    }
}
