/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.pull;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueCallException;
import io.github.batchsqs.client.ReceiveCall;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.codec.PayloadReader;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.SqsLimits;
import io.github.batchsqs.payload.PayloadStore;
import io.github.batchsqs.pull.PulledMessage;
import io.github.batchsqs.pull.PulledMessages;
import io.github.batchsqs.pull.ReceiveRequest;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One receive: its calls run on a thread of its own, because an interrupt ends a call at once only on a virtual thread, and the
 * caller waits for the result. Messages that the caller does not get return to the queue.
 */
final class Pull<T> {

    private static final Logger log = LoggerFactory.getLogger(Puller.class);

    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    /** The longest wait of a call. */
    private static final long LONGEST_WAIT = Duration.ofSeconds(20).toNanos();

    /** The wait of a call when there are messages enough: a long poll asks all servers of SQS, a short one asks some. */
    private static final long FURTHER_WAIT = SECOND;

    /** After an empty response long before its time, so that a server without long polls is not called in a loop. */
    private static final long SHORTEST_PAUSE = Duration.ofMillis(100).toNanos();

    private static final long LONGEST_PAUSE = Duration.ofSeconds(2).toNanos();

    private static final int MOST_CALLS = 3;

    private final ReceiveRequest<T> request;
    private final PayloadReader reader;
    private final PullCalls calls;
    private final Settlements settlements;
    private final TimeSource time;
    private final @Nullable PayloadStore payloads;
    private final CompletableFuture<PulledMessages<T>> result = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private final Map<String, PulledMessage<T>> received = new LinkedHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition pauseOver = lock.newCondition();
    private boolean cameAgain;
    private volatile @Nullable Thread thread;

    Pull(
            ReceiveRequest<T> request,
            PayloadReader reader,
            PullCalls calls,
            Settlements settlements,
            TimeSource time,
            @Nullable PayloadStore payloads) {
        this.request = request;
        this.reader = reader;
        this.calls = calls;
        this.settlements = settlements;
        this.time = time;
        this.payloads = payloads;
    }

    /** Starts the calls. */
    void start(PullThreads threads) {
        Thread made = threads.receive(this::run);
        thread = made;
        made.start();
    }

    /** It does not start. */
    void abandon() {
        ended.complete(null);
    }

    /** Completes when the last call has ended, and messages for nobody are on their way to the queue. */
    CompletableFuture<Void> ended() {
        return ended;
    }

    /** Waits for the messages; an interrupt ends the calls. */
    PulledMessages<T> await() throws InterruptedException {
        try {
            return result();
        } catch (InterruptedException e) {
            if (abort(e)) {
                throw e;
            }
            Thread.currentThread().interrupt(); // it came too late: the caller gets the messages
            return result();
        }
    }

    private PulledMessages<T> result() throws InterruptedException {
        try {
            return result.get();
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case RuntimeException failure -> throw failure;
                case Error failure -> throw failure;
                case InterruptedException interrupted -> throw interrupted;
                case null, default -> throw new IllegalStateException(e);
            }
        }
    }

    /** Ends the receive. Returns whether the caller gets this reason; {@code false} if the receive was over before. */
    boolean abort(Throwable reason) {
        boolean aborted = result.completeExceptionally(reason);
        Thread running = thread;
        if (aborted && running != null) {
            running.interrupt();
        }
        return aborted;
    }

    private void run() {
        Throwable failure = result.isDone() ? null : ForeignCode.run(this::gather); // of the resolver, or the client
        if (failure != null) {
            release();
            result.completeExceptionally(failure);
        } else if (!result.complete(new PulledMessages<>(new ArrayList<>(received.values())))) {
            release();
        }
        ended.complete(null);
    }

    /** Nobody gets the messages. */
    private void release() {
        clearInterrupt();
        if (!received.isEmpty()) {
            CompletableFuture<Void> ignored =
                    new PulledMessages<>(new ArrayList<>(received.values())).release(); // failures are logged
        }
    }

    /** The interrupt was for the calls. */
    private static void clearInterrupt() {
        boolean ignored = Thread.interrupted();
    }

    private void gather() throws InterruptedException {
        Queue queue = calls.queue(request.queue());
        Check.that(
                queue.fifo() || request.attemptId() == null,
                "attempt-id",
                "is for FIFO queues only",
                String.valueOf(request.attemptId()),
                "remove it");
        long wait = (request.waitTime().toNanos() + SECOND - 1) / SECOND * SECOND;
        long startedAt = time.nanos();
        long pause = SHORTEST_PAUSE;
        int call = 0;
        long left = wait;
        while (call == 0 || (left > 0 && !over())) {
            long calledAt = time.nanos();
            long longest = Math.min(left, enough() ? FURTHER_WAIT : LONGEST_WAIT);
            int messages = receive(queue, Duration.ofNanos(longest), attemptId(queue, call));
            call++;
            if (messages < 0 || cameAgain || (messages == 0 && enough())) {
                return;
            }
            long now = time.nanos();
            if (messages == 0 && now - calledAt < longest / 2) {
                pause(Math.min(pause, startedAt + wait - now));
                pause = Math.min(LONGEST_PAUSE, pause * 2);
            }
            left = (startedAt + wait - time.nanos()) / SECOND * SECOND;
        }
    }

    private boolean enough() {
        return received.size() >= request.minMessages();
    }

    /** One call has brought all of a small request; a large one goes on until a call is empty. */
    private boolean over() {
        return received.size() >= request.maxMessages()
                || (enough() && request.maxMessages() <= SqsLimits.MAX_PER_CALL);
    }

    /** Returns how many messages SQS delivered; -1 if it failed, but there are enough to return. */
    private int receive(Queue queue, Duration wait, @Nullable String attemptId) throws InterruptedException {
        int most = Math.min(SqsLimits.MAX_PER_CALL, request.maxMessages() - received.size());
        List<ReceivedMessage> messages;
        try {
            messages = received(new ReceiveCall(queue, most, wait, request.visibilityTimeout(), attemptId));
        } catch (QueueCallException e) {
            if (!enough()) {
                throw e;
            }
            log.warn(
                    "A receive of up to {} messages from {} returns {} because a further call failed: {}",
                    request.maxMessages(),
                    queue.name(),
                    received.size(),
                    e.getMessage());
            return -1;
        }
        Pulled.Receive from = new Pulled.Receive(
                queue,
                reader,
                request.payloadType().getTypeName(),
                settlements,
                payloads,
                time,
                time.nanos(),
                request.visibilityTimeout());
        // Visibility timeouts have ended: further calls would bring the same messages, and raise their receive counts.
        cameAgain = messages.stream().anyMatch(message -> received.containsKey(message.id()));
        for (ReceivedMessage message : messages) {
            received.put(message.id(), new Pulled<>(message, from)); // delivered twice: the newest handle counts
        }
        return messages.size();
    }

    /** Makes a call, and repeats it twice if it may succeed then and is needed. */
    private List<ReceivedMessage> received(ReceiveCall call) throws InterruptedException {
        for (int failures = 1; ; failures++) {
            try {
                return calls.receive(call);
            } catch (QueueCallException e) {
                if (!e.retryable() || failures == MOST_CALLS || enough()) {
                    throw e;
                }
                long asked = Math.min(LONGEST_PAUSE, e.retryAfter().toNanos());
                pause(Math.max(asked, failures * SHORTEST_PAUSE));
            }
        }
    }

    /** Fresh for each call, the same for the retries of it. */
    private @Nullable String attemptId(Queue queue, int call) {
        if (!queue.fifo()) {
            return null;
        }
        String given = request.attemptId();
        if (given == null) {
            return UUID.randomUUID().toString();
        }
        return call == 0 ? given : given + "-" + call;
    }

    private void pause(long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (left > 0) {
                left = pauseOver.awaitNanos(left); // nothing but an interrupt ends it early
            }
        } finally {
            lock.unlock();
        }
    }
}
