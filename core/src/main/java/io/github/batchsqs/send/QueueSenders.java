/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.client.QueueResolver;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One {@link QueueSender} per queue, however the queue is referred to: two would break the order of its groups.
 *
 * <p>A queue that was found stays found; one that was not is looked for again by the next send. Threads that look for the
 * same queue at once share one look-up. No lock is held meanwhile.
 */
final class QueueSenders {

    private final QueueResolver resolver;
    private final Function<Queue, QueueSender> factory;

    private final ConcurrentMap<String, QueueSender> byReference = new ConcurrentHashMap<>();
    private final ConcurrentMap<String, CompletableFuture<QueueSender>> lookups = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, QueueSender> byUrl = new HashMap<>();
    private boolean closed;

    QueueSenders(QueueResolver resolver, Function<Queue, QueueSender> factory) {
        this.resolver = resolver;
        this.factory = factory;
    }

    /** The sender to a queue; {@code null} after {@link #close()}. */
    @Nullable
    QueueSender of(String reference) throws InterruptedException {
        QueueSender known = byReference.get(reference);
        while (known == null) {
            CompletableFuture<QueueSender> mine = new CompletableFuture<>();
            CompletableFuture<QueueSender> first = lookups.putIfAbsent(reference, mine);
            if (first == null) {
                return lookUp(reference, mine);
            }
            known = join(first);
        }
        return known;
    }

    /** Those that were used so far. */
    Collection<QueueSender> all() {
        lock.lock();
        try {
            return List.copyOf(byUrl.values());
        } finally {
            lock.unlock();
        }
    }

    /** Closes all senders; no new ones are made. */
    void close() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        all().forEach(QueueSender::close);
    }

    private @Nullable QueueSender lookUp(String reference, CompletableFuture<QueueSender> mine)
            throws InterruptedException {
        try {
            QueueSender sender = senderTo(resolver.resolve(reference));
            if (sender != null) {
                byReference.put(reference, sender);
                mine.complete(sender);
            }
            return sender;
        } catch (InterruptedException | RuntimeException e) {
            mine.completeExceptionally(e);
            throw e;
        } finally {
            lookups.remove(reference, mine);
            mine.cancel(false);
        }
    }

    private @Nullable QueueSender senderTo(Queue queue) {
        lock.lock();
        try {
            QueueSender known = byUrl.get(queue.url());
            if (known == null && !closed) {
                known = factory.apply(queue);
                byUrl.put(queue.url(), known);
                known.start();
            }
            return known;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for another thread's look-up; {@code null} if that ended without a result, which says nothing for this one. */
    private static @Nullable QueueSender join(CompletableFuture<QueueSender> other) throws InterruptedException {
        try {
            return other.get();
        } catch (CancellationException e) {
            return null;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            return null;
        }
    }
}
