/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.embedded;

import io.github.batchsqs.client.EntryResult;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueClient;
import io.github.batchsqs.client.ReceiveCall;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.client.SendEntry;
import io.github.batchsqs.client.SentMessage;
import io.github.batchsqs.client.VisibilityChange;
import io.github.batchsqs.support.SqsLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Never aborts a receive, because ElasticMQ responds to aborted long polls as to others: messages that arrive within the
 * wait time after a stop, as that of a cached test context which is paused, would stay hidden for their visibility timeout.
 *
 * <p>Each receive runs on a virtual thread of its own. A caller that is interrupted leaves at once. What its receive brings
 * later returns to the queue when no other such receive of the queue is open, which would only receive it once more. A
 * receive ends at the latest when its client is closed.
 */
final class DetachedReceives implements QueueClient {

    private static final Logger LOG = LoggerFactory.getLogger(DetachedReceives.class);

    private final QueueClient client;
    private final Map<Queue, Left> leftByQueue = new ConcurrentHashMap<>();

    DetachedReceives(QueueClient client) {
        this.client = client;
    }

    @Override
    public List<ReceivedMessage> receive(ReceiveCall call) throws InterruptedException {
        Left left = leftByQueue.computeIfAbsent(call.queue(), queue -> new Left());
        var response = new CompletableFuture<List<ReceivedMessage>>();
        Thread.ofVirtual().name("batchsqs-embedded-receive").start(() -> receive(call, response, left));
        try {
            return response.get();
        } catch (InterruptedException interrupt) {
            if (!left.leave(response) && !response.isCompletedExceptionally()) {
                List<ReceivedMessage> late = response.join();
                Thread.ofVirtual().name("batchsqs-embedded-release").start(() -> release(call.queue(), late));
            }
            throw interrupt;
        } catch (ExecutionException failed) {
            throw unchecked(Objects.requireNonNull(failed.getCause()));
        }
    }

    private void receive(ReceiveCall call, CompletableFuture<List<ReceivedMessage>> response, Left left) {
        try {
            release(call.queue(), left.ended(response, client.receive(call)));
        } catch (Throwable e) { // the caller's
            if (!response.completeExceptionally(e)) {
                release(call.queue(), left.ended(response, List.of()));
            }
        }
    }

    /** The receives of one queue whose callers have left. */
    private static final class Left {

        private final ReentrantLock lock = new ReentrantLock();
        private final List<ReceivedMessage> brought = new ArrayList<>();
        private int open;

        /** Returns whether the caller leaves before the response. */
        boolean leave(CompletableFuture<List<ReceivedMessage>> response) {
            lock.lock();
            try {
                boolean left = response.cancel(false);
                open += left ? 1 : 0;
                return left;
            } finally {
                lock.unlock();
            }
        }

        /** Hands the messages to the caller if it is there. Returns what is to be released now. */
        List<ReceivedMessage> ended(CompletableFuture<List<ReceivedMessage>> response, List<ReceivedMessage> messages) {
            lock.lock();
            try {
                if (response.complete(messages)) {
                    return List.of();
                }
                brought.addAll(messages);
                open--;
                if (open > 0) {
                    return List.of();
                }
                List<ReceivedMessage> all = List.copyOf(brought);
                brought.clear();
                return all;
            } finally {
                lock.unlock();
            }
        }
    }

    private void release(Queue queue, List<ReceivedMessage> messages) {
        for (int from = 0; from < messages.size(); from += SqsLimits.MAX_PER_CALL) {
            List<ReceivedMessage> some =
                    messages.subList(from, Math.min(messages.size(), from + SqsLimits.MAX_PER_CALL));
            try {
                var ignored = client.changeVisibility(
                        queue,
                        some.stream()
                                .map(message -> new VisibilityChange(message.receiptHandle(), Duration.ZERO))
                                .toList());
            } catch (Exception e) {
                LOG.debug("The server or its client was closed before messages of {} returned", queue.name(), e);
            }
        }
    }

    private static RuntimeException unchecked(Throwable failure) throws InterruptedException {
        return switch (failure) {
            case RuntimeException unchecked -> unchecked;
            case Error error -> throw error;
            case InterruptedException interrupted -> throw interrupted;
            default -> new IllegalStateException("A receive failed", failure);
        };
    }

    @Override
    public List<EntryResult<Void>> delete(Queue queue, List<String> receiptHandles) throws InterruptedException {
        return client.delete(queue, receiptHandles);
    }

    @Override
    public List<EntryResult<Void>> changeVisibility(Queue queue, List<VisibilityChange> changes)
            throws InterruptedException {
        return client.changeVisibility(queue, changes);
    }

    @Override
    public List<EntryResult<SentMessage>> send(Queue queue, List<SendEntry> entries) throws InterruptedException {
        return client.send(queue, entries);
    }
}
