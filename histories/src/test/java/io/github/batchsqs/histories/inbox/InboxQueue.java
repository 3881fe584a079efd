/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.inbox;

import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueAttributes;
import io.github.batchsqs.client.QueueAttributes.RedrivePolicy;
import io.github.batchsqs.histories.ModelClient;
import io.github.batchsqs.histories.SimulatedMessage;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.ReceiveCall;
import io.github.batchsqs.internal.client.VisibilityChange;
import io.github.batchsqs.internal.sdk.BatchResults;
import io.github.batchsqs.model.sqs.ModelQueue;
import io.github.batchsqs.model.sqs.Received;
import io.github.batchsqs.model.sqs.TextPayload;
import io.github.batchsqs.model.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

/** The queue of all instances, by calls that take time. Deletes get lost and messages come twice when the plan says so. */
final class InboxQueue extends ModelClient {

    private final InboxPlan plan;
    private final Consumer<String> trace;
    private final AtomicInteger receives;
    private final AtomicInteger deletes;

    InboxQueue(VirtualTime time, ModelQueue<TextPayload> queue, InboxPlan plan, Consumer<String> trace) {
        this(time, queue, plan, trace, new AtomicInteger(), new AtomicInteger());
    }

    private InboxQueue(
            VirtualTime time,
            ModelQueue<TextPayload> queue,
            InboxPlan plan,
            Consumer<String> trace,
            AtomicInteger receives,
            AtomicInteger deletes) {
        super(time, queue);
        this.plan = plan;
        this.trace = trace;
        this.receives = receives;
        this.deletes = deletes;
    }

    /** {@return the client of another instance: what shares a client shares threads} */
    InboxQueue another() {
        return new InboxQueue(time, queue, plan, trace, receives, deletes);
    }

    String name() {
        return plan.fifo() ? "inbox.fifo" : "inbox";
    }

    void send(String body) {
        put(body, plan.fifo() ? group(body) : null);
    }

    static String group(String body) {
        return "g" + body.hashCode() % 3;
    }

    @Override
    public List<ReceivedMessage> receive(ReceiveCall call) throws InterruptedException {
        travel();
        List<Received<TextPayload>> received = poll(call);
        List<ReceivedMessage> messages = new ArrayList<>();
        received.forEach(message -> {
            trace.accept(VirtualTime.currentHost() + " receives "
                    + message.message().payload().body());
            messages.add(new SimulatedMessage(message));
        });
        if (!received.isEmpty() && plan.duplicates().contains(receives.getAndIncrement())) {
            Received<TextPayload> first = received.getFirst();
            trace.accept(first.message().payload().body() + " comes twice");
            messages.add(new SimulatedMessage(queue.receiveAgain(first.message(), call.visibilityTimeout(), now())));
        }
        travel();
        return messages;
    }

    @Override
    public List<EntryResult<Void>> delete(Queue target, List<String> handles) throws InterruptedException {
        boolean lost = plan.lostDeletes().contains(deletes.getAndIncrement());
        return batch(handles, handle -> {
            if (!lost) {
                return result(queue.delete(handle, now()));
            }
            trace.accept("a delete takes no effect");
            return BatchResults.ACCEPTED;
        });
    }

    @Override
    public List<EntryResult<Void>> changeVisibility(Queue target, List<VisibilityChange> changes)
            throws InterruptedException {
        return batch(
                changes, change -> result(queue.changeVisibility(change.receiptHandle(), change.timeout(), now())));
    }

    private <E> List<EntryResult<Void>> batch(List<E> entries, Function<E, EntryResult<Void>> effect)
            throws InterruptedException {
        travel();
        List<EntryResult<Void>> results = new ArrayList<>();
        entries.forEach(entry -> results.add(effect.apply(entry)));
        travel();
        return results;
    }

    @Override
    public QueueAttributes attributes(Queue target) throws InterruptedException {
        travel();
        return new QueueAttributes(Duration.ofSeconds(10), new RedrivePolicy("dead", InboxHistory.MAX_RECEIVES));
    }
}
