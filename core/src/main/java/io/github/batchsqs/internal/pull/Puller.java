/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.pull;

import io.github.batchsqs.client.QueueClient;
import io.github.batchsqs.client.QueueResolver;
import io.github.batchsqs.codec.Envelope;
import io.github.batchsqs.codec.PayloadCodec;
import io.github.batchsqs.codec.PayloadReader;
import io.github.batchsqs.events.SenderEvents;
import io.github.batchsqs.payload.PayloadStore;
import io.github.batchsqs.pull.PulledMessages;
import io.github.batchsqs.pull.ReceiveRequest;
import io.github.batchsqs.time.TimeSource;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Receives for callers; the template's part that receives. No thread runs before the first receive.
 *
 * <p>Safe for use by any thread.
 */
public final class Puller implements AutoCloseable {

    private final PayloadCodec codec;
    private final TimeSource time;
    private final @Nullable PayloadStore payloads;
    private final PullThreads threads = new PullThreads();
    private final PullCalls calls;
    private final Settlements settlements;
    private final Set<Pull<?>> open = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * Makes a puller.
     *
     * @param events the events of a queue, which record its calls
     * @param payloads stores payloads outside of SQS, or {@code null} if all are in the messages
     */
    public Puller(
            QueueClient client,
            QueueResolver resolver,
            PayloadCodec codec,
            Function<String, SenderEvents> events,
            TimeSource time,
            @Nullable PayloadStore payloads) {
        this.codec = codec;
        this.payloads = payloads;
        this.time = time;
        this.calls = new PullCalls(client, resolver, events, time);
        this.settlements = new Settlements(calls, threads, time, payloads);
    }

    /**
     * Receives messages on a thread of its own, and waits for them.
     *
     * @throws IllegalStateException if the puller is closed, or was closed meanwhile
     * @throws InterruptedException if the calling thread is interrupted; what was received by then returns to the queue
     */
    public <T> PulledMessages<T> receive(ReceiveRequest<T> request) throws InterruptedException {
        PayloadReader reader = new PayloadReader(codec, Envelope.NONE, request.payloadType(), null);
        Pull<T> pull = new Pull<>(request, reader, calls, settlements, time, payloads);
        open.add(pull);
        boolean started = false;
        try {
            if (closed) {
                throw refused();
            }
            pull.start(threads);
            started = true;
        } finally {
            if (!started) {
                open.remove(pull);
                pull.abandon();
            }
        }
        CompletableFuture<Void> ignored = pull.ended().thenRun(() -> open.remove(pull));
        return pull.await();
    }

    /** Refuses further receives and aborts those that are open: what they bring returns to the queue. */
    public void refuseNew() {
        closed = true;
        open.forEach(pull -> {
            boolean ignored = pull.abort(refused());
        });
    }

    /** Makes the calls of all deletes and visibility changes that wait; completes when their futures have completed. */
    public CompletableFuture<Void> flush() {
        if (!closed) {
            return settlements.flush();
        }
        CompletableFuture<?>[] aborted = open.stream().map(Pull::ended).toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(aborted).thenCompose(ended -> settlements.flush());
    }

    /** Closes: what is not settled yet fails. */
    @Override
    public void close() {
        refuseNew();
        settlements.close();
    }

    private static IllegalStateException refused() {
        return new IllegalStateException("The template is closed: it receives nothing more");
    }
}
