/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.QueueIdentity;
import io.github.batchsqs.internal.support.SafeThrowable;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One {@link QueueSender} per queue, however the queue is referred to: two would break the order of its groups.
 *
 * <p>A sender that has been idle for {@link #IDLE} is closed when the sender of another queue is created, so that an
 * application with ever new queues keeps no threads for the old ones. The next message to its queue creates a new one.
 */
final class QueueSenders {

    static final Duration IDLE = Duration.ofMinutes(10);

    private final QueueLookUps lookUps;
    private final Function<Queue, QueueSender> factory;

    private final ConcurrentMap<String, QueueSender> byReference = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, QueueSender> byIdentity = new HashMap<>();
    private boolean closed;

    QueueSenders(QueueLookUps lookUps, Function<Queue, QueueSender> factory) {
        this.lookUps = lookUps;
        this.factory = factory;
    }

    /** Returns the sender to a queue if it is known; waits for nothing. */
    @Nullable
    QueueSender known(String reference) {
        return byReference.get(reference);
    }

    /**
     * Returns the sender to a queue; {@code null} after {@link #close()}.
     *
     * @param maxBlock how long to wait for the look-up of the queue
     * @throws RuntimeException why the queue cannot be used
     */
    @Nullable
    QueueSender find(String reference, Duration maxBlock) throws InterruptedException {
        Queue queue = lookUps.find(reference, maxBlock);
        QueueSender sender = queue == null ? null : senderTo(queue);
        if (sender != null) {
            byReference.put(reference, sender);
        }
        return sender;
    }

    /** Returns the successor of a sender that was closed because it was idle; {@code null} after {@link #close()}. */
    @Nullable
    QueueSender successorOf(QueueSender retired) {
        byReference.values().removeIf(each -> each == retired);
        return senderTo(retired.queue());
    }

    /** Returns the open senders. */
    Collection<QueueSender> all() {
        lock.lock();
        try {
            return List.copyOf(byIdentity.values());
        } finally {
            lock.unlock();
        }
    }

    /** Creates no more senders, and ends all waits for queues. */
    void refuseNew() {
        lock.lock();
        try {
            closed = true;
        } finally {
            lock.unlock();
        }
        lookUps.close();
    }

    /** Closes all senders; no new ones are created. */
    void close() {
        refuseNew();
        all().forEach(QueueSender::close);
    }

    private @Nullable QueueSender senderTo(Queue queue) {
        String identity = QueueIdentity.of(queue.url());
        lock.lock();
        try {
            QueueSender known = byIdentity.get(identity);
            if (known != null && known.retired()) {
                known = null;
            }
            if (known == null && !closed) {
                removeIdle();
                known = started(queue);
                byIdentity.put(identity, known);
            }
            return known;
        } finally {
            lock.unlock();
        }
    }

    private QueueSender started(Queue queue) {
        ForeignCode.Outcome<QueueSender> made = ForeignCode.call(() -> {
            QueueSender sender = factory.apply(queue);
            sender.start(); // there may be no thread
            return sender;
        });
        Throwable failure = made.failure();
        if (failure != null) {
            throw new TransientException(
                    "The sender to the queue '" + queue.name() + "' could not be started: "
                            + SafeThrowable.text(failure) + "; send again later",
                    failure);
        }
        return Objects.requireNonNull(made.value());
    }

    private void removeIdle() {
        byIdentity.entrySet().removeIf(each -> {
            QueueSender sender = each.getValue();
            if (!sender.retireIfIdle(IDLE)) {
                return false;
            }
            byReference.values().removeIf(other -> other == sender);
            lookUps.remove(each.getKey());
            return true;
        });
    }
}
