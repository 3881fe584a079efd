/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.client.ReceiveCall;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.client.SentMessage;
import io.github.batchsqs.internal.sdk.BatchResults;
import io.github.batchsqs.model.sqs.ModelQueue;
import io.github.batchsqs.model.sqs.Outcome;
import io.github.batchsqs.model.sqs.Outgoing;
import io.github.batchsqs.model.sqs.ReceiveRequest;
import io.github.batchsqs.model.sqs.Received;
import io.github.batchsqs.model.sqs.TextPayload;
import io.github.batchsqs.model.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Calls to a queue of the model of SQS, which take virtual time. */
public abstract class ModelClient implements QueueClient, QueueResolver {

    private static final long BEGIN = TimeUnit.SECONDS.toNanos(VirtualTime.BEGIN.getEpochSecond());
    private static final long LOOK = Duration.ofMillis(500).toNanos();

    protected final VirtualTime time;
    protected final ModelQueue<TextPayload> queue;

    protected ModelClient(VirtualTime time, ModelQueue<TextPayload> queue) {
        this.time = time;
        this.queue = queue;
    }

    /** Somebody else sends a message. */
    public final void put(String body, @Nullable String group) {
        var unused = queue.send(new Outgoing<>(new TextPayload(body), group, group == null ? null : body, null), now());
    }

    protected final long now() {
        return BEGIN + time.nanos();
    }

    /** A request or a response is on its way. */
    protected void travel() throws InterruptedException {
        time.sleep(1 + time.random().nextLong(20_000_000));
    }

    /** Waits for messages as the queue does. */
    protected final List<Received<TextPayload>> poll(ReceiveCall call) throws InterruptedException {
        ReceiveRequest request =
                new ReceiveRequest(call.maxMessages(), call.waitTime(), call.visibilityTimeout(), call.attemptId());
        long until = time.nanos() + call.waitTime().toNanos();
        List<Received<TextPayload>> received = queue.receive(request, now());
        while (received.isEmpty() && time.nanos() < until) {
            time.sleep(Math.min(LOOK, until - time.nanos()));
            received = queue.receive(request, now());
        }
        return received;
    }

    protected static EntryResult<Void> result(Outcome<?> outcome) {
        return outcome instanceof Outcome.Refused<?> refused ? rejected(refused) : BatchResults.ACCEPTED;
    }

    protected static <R> EntryResult<R> rejected(Outcome.Refused<?> refused) {
        return new EntryResult.Rejected<>(refused.code().code(), refused.message(), false);
    }

    protected static QueueCallException throttled(String operation) {
        return new QueueCallException(operation, "ThrottlingException", "the plan wants it", true, null);
    }

    protected static QueueCallException lost(String operation) {
        return new QueueCallException(
                operation, "ConnectionFailed", "the plan wants it", true, new IOException("the plan wants it"));
    }

    @Override
    public List<EntryResult<SentMessage>> send(Queue target, List<SendEntry> entries) throws InterruptedException {
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
}
