/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulation;

import io.github.batchsqs.ReceivedMessage;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueAttributes;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.internal.client.EntryResult;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.client.ReceiveCall;
import io.github.batchsqs.internal.client.SendEntry;
import io.github.batchsqs.internal.client.SentMessage;
import io.github.batchsqs.internal.client.VisibilityChange;
import io.github.batchsqs.internal.sdk.BatchResults;
import io.github.batchsqs.model.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * An instance's way to the queue: half of a call's duration passes before it takes effect, half after. A call that fails, before it takes
 * effect, is made again up to three times in all, after up to 100 and 200 ms, as the SDK's standard retries do.
 */
final class SimulatedClient implements QueueClient, QueueResolver {

    private static final int ATTEMPTS = 3;
    private static final long FIRST_BACKOFF = 100_000_000L;

    private final VirtualTime threads;
    private final SimulatedQueue queue;
    private final Network network;
    private final RandomGenerator random;
    private final Statistics statistics;

    SimulatedClient(
            VirtualTime threads, SimulatedQueue queue, Network network, RandomGenerator random, Statistics statistics) {
        this.threads = threads;
        this.queue = queue;
        this.network = network;
        this.random = random;
        this.statistics = statistics;
    }

    @Override
    public List<ReceivedMessage> receive(ReceiveCall call) throws InterruptedException {
        Duration lease = call.visibilityTimeout() == null ? SimulationRow.LEASE : call.visibilityTimeout();
        return call("ReceiveMessage", statistics.receives, () -> {
            List<ReceivedMessage> messages = List.copyOf(
                    queue.receive(call.maxMessages(), call.waitTime().toNanos(), lease));
            statistics.receives.brought(messages.size());
            return messages;
        });
    }

    @Override
    public List<EntryResult<Void>> delete(Queue unused, List<String> receiptHandles) throws InterruptedException {
        return call("DeleteMessageBatch", statistics.deletes, () -> {
            queue.delete(receiptHandles);
            statistics.deletes.brought(receiptHandles.size());
            return Collections.nCopies(receiptHandles.size(), BatchResults.ACCEPTED);
        });
    }

    @Override
    public List<EntryResult<Void>> changeVisibility(Queue unused, List<VisibilityChange> changes)
            throws InterruptedException {
        return call("ChangeMessageVisibilityBatch", statistics.visibilityChanges, () -> {
            List<EntryResult<Void>> results = new ArrayList<>(changes.size());
            for (VisibilityChange change : changes) {
                boolean inFlight = queue.changeVisibility(change.receiptHandle(), change.timeout());
                results.add(
                        inFlight
                                ? BatchResults.ACCEPTED
                                : new EntryResult.Rejected<>("MessageNotInflight", "It is not in flight", false));
            }
            return results;
        });
    }

    @Override
    public Queue resolve(String name) {
        return new Queue(name, "https://sqs.simulated/" + name);
    }

    @Override
    public Queue create(String name) {
        return resolve(name);
    }

    @Override
    public QueueAttributes attributes(Queue unused) {
        return new QueueAttributes(SimulationRow.LEASE, null);
    }

    @Override
    public List<EntryResult<SentMessage>> send(Queue unused, List<SendEntry> entries) {
        throw new UnsupportedOperationException("Listeners without dead-letter queues send nothing");
    }

    private <R> R call(String operation, Statistics.Calls calls, Effect<R> effect) throws InterruptedException {
        for (int attempt = 1; ; attempt++) {
            long duration = queue.closed() ? 0 : network.draw(random);
            calls.begin();
            try {
                threads.sleep(duration / 2);
                boolean fails = network.errors() > 0 && random.nextDouble() < network.errors();
                @Nullable R result = fails ? null : effect.take();
                threads.sleep(duration - duration / 2);
                if (result != null) {
                    return result;
                }
            } finally {
                calls.end();
            }
            statistics.errors++;
            if (attempt == ATTEMPTS) {
                throw new QueueCallException(operation, "InternalError", "Simulated", true, null);
            }
            threads.sleep(random.nextLong(FIRST_BACKOFF << (attempt - 1)));
        }
    }

    /** The effect of a call on the queue. */
    @FunctionalInterface
    private interface Effect<R> {
        R take() throws InterruptedException;
    }
}
