/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.embedded;

import io.github.batchsqs.client.EntryResult;
import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueClient;
import io.github.batchsqs.client.ReceiveCall;
import io.github.batchsqs.client.ReceivedMessage;
import io.github.batchsqs.client.SendEntry;
import io.github.batchsqs.client.SentMessage;
import io.github.batchsqs.client.VisibilityChange;
import io.github.batchsqs.internal.support.SqsLimits;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Never aborts a receive, because ElasticMQ responds to aborted long polls as to others: messages that arrive within the
 * wait time after a stop, as that of a cached test context which is paused, would stay hidden for their visibility timeout.
 *
 * <p>Each receive runs on a virtual thread of its own. A caller that is interrupted leaves at once, and its receive stays
 * open. The next caller takes it over, as after the restart of a paused context. What it brings while it has no caller
 * returns to the queue as soon as there is any caller, or no open receive without one, which would only receive it once more. A
 * receive ends at the latest when its client is closed.
 */
final class DetachedReceives implements QueueClient {

    private static final Logger LOG = LoggerFactory.getLogger(DetachedReceives.class);
    private static final TimeSource TIME = TimeSource.system();

    private final QueueClient client;
    private final Map<Queue, Receives> receivesByQueue = new ConcurrentHashMap<>();

    DetachedReceives(QueueClient client) {
        this.client = client;
    }

    @Override
    public List<ReceivedMessage> receive(ReceiveCall call) throws InterruptedException {
        Receives receives = receivesByQueue.computeIfAbsent(call.queue(), queue -> new Receives());
        List<ReceivedMessage> brought = receives.enter();
        try {
            releaseLater(call.queue(), brought);
            Receive receive = receives.takeOver(call);
            if (receive == null) {
                Receive fresh = new Receive(call, TIME.nanos());
                Thread.ofVirtual().name("batchsqs-embedded-receive").start(() -> run(fresh, receives));
                receive = fresh;
            }
            return await(receive, receives);
        } finally {
            receives.exit();
        }
    }

    private List<ReceivedMessage> await(Receive receive, Receives receives) throws InterruptedException {
        CompletableFuture<List<ReceivedMessage>> response = receive.response;
        try {
            return response.get();
        } catch (InterruptedException interrupt) {
            if (!receives.leave(receive) && !response.isCompletedExceptionally()) {
                releaseLater(receive.call.queue(), response.join());
            }
            throw interrupt;
        } catch (ExecutionException failed) {
            throw unchecked(Objects.requireNonNull(failed.getCause()));
        }
    }

    private void run(Receive receive, Receives receives) {
        List<ReceivedMessage> messages = List.of();
        Throwable failure = null;
        try {
            messages = client.receive(receive.call);
        } catch (Throwable e) { // the caller's
            failure = e;
        }
        release(receive.call.queue(), receives.ended(receive, messages, failure));
    }

    /** A receive that is open. The {@link Receives} of its queue guard the response, which is that of its present or last caller. */
    private static final class Receive {

        private final ReceiveCall call;
        private final long end;
        private CompletableFuture<List<ReceivedMessage>> response = new CompletableFuture<>();

        Receive(ReceiveCall call, long now) {
            this.call = call;
            this.end = now + call.waitTime().toNanos();
        }

        /** Returns whether the receive gives a caller what it would get by its own, or less, and not later. */
        boolean suits(ReceiveCall other, long now) {
            return call.maxMessages() <= other.maxMessages()
                    && Objects.equals(call.visibilityTimeout(), other.visibilityTimeout())
                    && end - now <= other.waitTime().toNanos();
        }
    }

    /** The receives of one queue that are open, and what came for nobody. */
    private static final class Receives {

        private final ReentrantLock lock = new ReentrantLock();
        private final List<Receive> withoutCaller = new ArrayList<>();
        private List<ReceivedMessage> brought = new ArrayList<>();
        private int callers;

        /** Counts a caller. Returns what receives without a caller brought, once. */
        List<ReceivedMessage> enter() {
            lock.lock();
            try {
                callers++;
                return takeBrought();
            } finally {
                lock.unlock();
            }
        }

        void exit() {
            lock.lock();
            try {
                callers--;
            } finally {
                lock.unlock();
            }
        }

        /** Returns an open receive that has a caller again, or null if none suits. */
        @Nullable
        Receive takeOver(ReceiveCall call) {
            lock.lock();
            try {
                for (Receive receive : withoutCaller) {
                    if (receive.suits(call, TIME.nanos())) {
                        withoutCaller.remove(receive);
                        receive.response = new CompletableFuture<>();
                        return receive;
                    }
                }
                return null;
            } finally {
                lock.unlock();
            }
        }

        /** Returns whether the caller leaves before the response. */
        boolean leave(Receive receive) {
            lock.lock();
            try {
                boolean left = receive.response.cancel(false);
                if (left) {
                    withoutCaller.add(receive);
                }
                return left;
            } finally {
                lock.unlock();
            }
        }

        /** Responds to the caller if it is there. Returns what is to be released now. */
        List<ReceivedMessage> ended(Receive receive, List<ReceivedMessage> messages, @Nullable Throwable failure) {
            lock.lock();
            try {
                boolean there = failure == null
                        ? receive.response.complete(messages)
                        : receive.response.completeExceptionally(failure);
                if (!there) {
                    withoutCaller.remove(receive);
                    brought.addAll(messages);
                }
                return withoutCaller.isEmpty() || callers > 0 ? takeBrought() : List.of();
            } finally {
                lock.unlock();
            }
        }

        private List<ReceivedMessage> takeBrought() {
            List<ReceivedMessage> all = brought;
            brought = new ArrayList<>();
            return all;
        }
    }

    private void releaseLater(Queue queue, List<ReceivedMessage> messages) {
        if (!messages.isEmpty()) {
            Thread.ofVirtual().name("batchsqs-embedded-release").start(() -> release(queue, messages));
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
