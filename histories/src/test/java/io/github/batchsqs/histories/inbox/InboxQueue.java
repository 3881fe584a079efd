/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.inbox;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueAttributes;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.histories.SimulatedMessage;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.client.ReceiveCall;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.client.SentMessage;
import io.github.batchsqs.internal.client.VisibilityChange;
import io.github.batchsqs.model.sqs.ModelQueue;
import io.github.batchsqs.model.sqs.Outcome;
import io.github.batchsqs.model.sqs.Outgoing;
import io.github.batchsqs.model.sqs.ReceiveRequest;
import io.github.batchsqs.model.sqs.Received;
import io.github.batchsqs.model.sqs.TextPayload;
import io.github.batchsqs.model.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The queue of all instances, by calls that take time. Deletes get lost and messages come twice when the plan says so. */
final class InboxQueue implements QueueClient, QueueResolver {

    private static final long BEGIN = TimeUnit.SECONDS.toNanos(VirtualTime.BEGIN.getEpochSecond());
    private static final long LOOK = Duration.ofMillis(500).toNanos();

    private final VirtualTime time;
    private final ModelQueue<TextPayload> queue;
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
        this.time = time;
        this.queue = queue;
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
        String group = plan.fifo() ? "g" + body.hashCode() % 3 : null;
        var unused = queue.send(new Outgoing<>(new TextPayload(body), group, group == null ? null : body, null), now());
    }

    private long now() {
        return BEGIN + time.nanos();
    }

    private void travel() throws InterruptedException {
        time.sleep(1 + time.random().nextLong(20_000_000));
    }

    @Override
    public List<ReceivedMessage> receive(ReceiveCall call) throws InterruptedException {
        travel();
        ReceiveRequest request =
                new ReceiveRequest(call.maxMessages(), call.waitTime(), call.visibilityTimeout(), call.attemptId());
        long until = time.nanos() + call.waitTime().toNanos();
        List<Received<TextPayload>> received = queue.receive(request, now());
        while (received.isEmpty() && time.nanos() < until) {
            time.sleep(Math.min(LOOK, until - time.nanos()));
            received = queue.receive(request, now());
        }
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
                return queue.delete(handle, now());
            }
            trace.accept("a delete takes no effect");
            return null;
        });
    }

    @Override
    public List<EntryResult<Void>> changeVisibility(Queue target, List<VisibilityChange> changes)
            throws InterruptedException {
        return batch(changes, change -> queue.changeVisibility(change.receiptHandle(), change.timeout(), now()));
    }

    @SuppressWarnings("NullAway") // Void has no value
    private <E> List<EntryResult<Void>> batch(List<E> entries, Function<E, @Nullable Outcome<?>> effect)
            throws InterruptedException {
        travel();
        List<EntryResult<Void>> results = new ArrayList<>();
        for (E entry : entries) {
            results.add(
                    effect.apply(entry) instanceof Outcome.Refused<?> refused
                            ? new EntryResult.Rejected<>(refused.code().code(), refused.message(), false)
                            : new EntryResult.Accepted<>(null));
        }
        travel();
        return results;
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
    public QueueAttributes attributes(Queue target) throws InterruptedException {
        travel();
        return new QueueAttributes(Duration.ofSeconds(10), null);
    }
}
