/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.pull;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.codec.PayloadCodec;
import io.github.batchsqs.internal.client.QueueClient;
import io.github.batchsqs.internal.client.ReceiveCall;
import io.github.batchsqs.internal.codec.Envelope;
import io.github.batchsqs.internal.codec.PayloadReader;
import io.github.batchsqs.internal.events.SenderEvents;
import io.github.batchsqs.internal.support.SqsLimits;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.payload.PayloadStore;
import io.github.batchsqs.pull.PulledMessage;
import io.github.batchsqs.pull.PulledMessages;
import io.github.batchsqs.pull.ReceiveRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Receives for callers, on their threads; the template's part that receives. Messages of a receive that fails return to the queue.
 *
 * <p>Safe for use by any thread.
 */
public final class Puller {

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final QueueClient client;
    private final PayloadCodec codec;
    private final Function<String, SenderEvents> events;
    private final TimeSource time;
    private final @Nullable PayloadStore payloads;

    private final Set<CompletableFuture<Void>> unsettled = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /**
     * Makes a puller.
     *
     * @param events the events of a queue, which record its calls
     * @param payloads stores payloads outside of SQS, or {@code null} if all are in the messages
     */
    public Puller(
            QueueClient client,
            PayloadCodec codec,
            Function<String, SenderEvents> events,
            TimeSource time,
            @Nullable PayloadStore payloads) {
        this.client = client;
        this.codec = codec;
        this.events = events;
        this.time = time;
        this.payloads = payloads;
    }

    /**
     * Receives messages, and waits for them.
     *
     * @throws IllegalStateException if the puller is closed, or was closed meanwhile
     * @throws InterruptedException if the calling thread is interrupted; what was received by then returns to the queue
     */
    public <T> PulledMessages<T> receive(Queue queue, ReceiveRequest<T> request) throws InterruptedException {
        Map<String, PulledMessage<T>> received = new LinkedHashMap<>();
        try {
            gather(queue, request, received);
            return listed(received);
        } catch (InterruptedException | RuntimeException e) {
            CompletableFuture<Void> ignored = listed(received).release(); // failures are logged
            throw e;
        }
    }

    private static <T> PulledMessages<T> listed(Map<String, PulledMessage<T>> received) {
        return new PulledMessages<>(new ArrayList<>(received.values()));
    }

    /** Refuses further receives, and further calls of those under way. */
    public void close() {
        closed = true;
    }

    /** {@return a future that completes when the settlements so far have ended} */
    public CompletableFuture<Void> flush() {
        return CompletableFuture.allOf(unsettled.stream()
                .map(each -> each.handle((done, failure) -> null))
                .toArray(CompletableFuture<?>[]::new));
    }

    private <T> void gather(Queue queue, ReceiveRequest<T> request, Map<String, PulledMessage<T>> received)
            throws InterruptedException {
        PullCalls calls = new PullCalls(queue, client, events.apply(queue.name()), time, payloads, unsettled);
        PayloadReader reader = new PayloadReader(codec, Envelope.NONE, request.payloadType(), null);
        long left = Math.ceilDiv(request.waitTime().toNanos(), SECOND);
        long end = time.nanos() + left * SECOND;
        boolean goOn = true;
        while (goOn) {
            if (closed) {
                throw new IllegalStateException("The template is closed: it receives nothing more");
            }
            int before = received.size();
            // A long poll asks all servers of SQS, a short one asks some.
            long longest = before < request.minMessages() ? 20 : 1;
            List<ReceivedMessage> messages = calls.receive(new ReceiveCall(
                    queue,
                    Math.min(SqsLimits.MAX_PER_CALL, request.maxMessages() - before),
                    Duration.ofSeconds(Math.min(left, longest)),
                    request.visibilityTimeout(),
                    queue.fifo() ? UUID.randomUUID().toString() : null));
            for (ReceivedMessage each : messages) { // the newest handle counts
                received.put(each.id(), new Pulled<>(each, calls, reader, request.visibilityTimeout()));
            }
            left = (end - time.nanos()) / SECOND;
            // If not all are new, visibility timeouts have ended, and further calls would bring the same ones
            goOn = received.size() == before + messages.size()
                    && goesOn(request, received.size(), messages.isEmpty())
                    && left > 0;
            if (goOn && messages.isEmpty()) {
                PullCalls.pause(1); // a server may have no long polls
            }
        }
    }

    /** One call has brought all of a small request; a large one goes on until a call is empty. */
    private static boolean goesOn(ReceiveRequest<?> request, int received, boolean empty) {
        return received < request.minMessages()
                || (!empty && received < request.maxMessages() && request.maxMessages() > SqsLimits.MAX_PER_CALL);
    }
}
