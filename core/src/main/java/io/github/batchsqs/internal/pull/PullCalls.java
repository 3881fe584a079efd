/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.pull;

import io.github.batchsqs.client.EntryResult;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.client.QueueClient;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.client.ReceiveCall;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.client.VisibilityChange;
import io.github.batchsqs.events.SenderEvent;
import io.github.batchsqs.events.SenderEvents;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** The calls of one-off receives, each recorded; and the queues that were found. Safe for use by any thread. */
final class PullCalls {

    static final String RECEIVE = "ReceiveMessage";
    static final String DELETE = "DeleteMessageBatch";
    static final String CHANGE_VISIBILITY = "ChangeMessageVisibilityBatch";

    /** An application with ever new queues, such as one per reply, does not fill the memory with them. */
    private static final int MAX_QUEUES = 1_000;

    private final QueueClient client;
    private final QueueResolver resolver;
    private final Function<String, SenderEvents> events;
    private final TimeSource time;
    private final ConcurrentMap<String, Queue> queues = new ConcurrentHashMap<>();

    PullCalls(QueueClient client, QueueResolver resolver, Function<String, SenderEvents> events, TimeSource time) {
        this.client = client;
        this.resolver = resolver;
        this.events = events;
        this.time = time;
    }

    /**
     * Returns the queue; the first time after a look-up.
     *
     * @throws RuntimeException why it cannot be used; nothing is remembered of that
     */
    Queue queue(String reference) throws InterruptedException {
        Queue known = queues.get(reference);
        if (known != null) {
            return known;
        }
        long startedAt = time.nanos();
        Queue found = resolver.resolve(reference);
        record(found, reference.startsWith("http") ? "GetQueueAttributes" : "GetQueueUrl", 1, startedAt, null);
        if (queues.size() >= MAX_QUEUES) {
            queues.clear();
        }
        queues.put(reference, found);
        return found;
    }

    List<ReceivedMessage> receive(ReceiveCall call) throws InterruptedException {
        try {
            return recorded(call.queue(), RECEIVE, List::size, () -> client.receive(call));
        } catch (QueueCallException e) {
            if (!e.retryable()) {
                queues.values().removeIf(call.queue()::equals); // it may have been deleted
            }
            throw e;
        }
    }

    List<EntryResult<Void>> delete(Queue queue, List<String> handles) throws InterruptedException {
        return complete(
                DELETE,
                handles.size(),
                recorded(queue, DELETE, results -> handles.size(), () -> client.delete(queue, handles)));
    }

    List<EntryResult<Void>> changeVisibility(Queue queue, List<VisibilityChange> changes) throws InterruptedException {
        return complete(
                CHANGE_VISIBILITY,
                changes.size(),
                recorded(
                        queue,
                        CHANGE_VISIBILITY,
                        results -> changes.size(),
                        () -> client.changeVisibility(queue, changes)));
    }

    private static List<EntryResult<Void>> complete(String operation, int entries, List<EntryResult<Void>> results) {
        if (results.size() == entries) {
            return results;
        }
        throw new QueueCallException(
                operation,
                "Unexpected",
                operation + " of " + entries + " entries has results for " + results.size(),
                true,
                null);
    }

    private <R> R recorded(Queue queue, String operation, ToIntFunction<R> messages, Call<R> call)
            throws InterruptedException {
        long startedAt = time.nanos();
        R result;
        try {
            result = call.make();
        } catch (QueueCallException e) {
            record(queue, operation, 0, startedAt, e.code());
            throw e;
        }
        record(queue, operation, messages.applyAsInt(result), startedAt, null);
        return result;
    }

    private void record(Queue queue, String operation, int messages, long startedAt, @Nullable String errorCode) {
        events.apply(queue.name())
                .on(new SenderEvent.ReceiveCall(
                        operation, messages, Duration.ofNanos(time.nanos() - startedAt), errorCode));
    }

    /** A call to SQS. */
    @FunctionalInterface
    private interface Call<R> {
        R make() throws InterruptedException;
    }
}
