/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import io.github.batchsqs.client.Queue;
import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.Locked;
import io.github.batchsqs.internal.support.QueueIdentity;
import io.github.batchsqs.send.SendFailedException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One {@link QueueSender} per queue, however the queue is referred to: two would break the order of its groups. */
final class QueueSenders {

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

    /**
     * Returns the sender to a queue; the first time after a look-up of its queue.
     *
     * @throws SendFailedException if the queue was not found in time, the template was closed, or the thread interrupted
     */
    QueueSender of(String reference, Patience patience) {
        QueueSender known = byReference.get(reference);
        if (known != null) {
            return known;
        }
        Queue queue;
        try {
            queue = lookUps.find(reference, patience);
        } catch (InterruptedException e) {
            throw Refusals.interrupted(reference, e);
        } catch (RuntimeException e) {
            boolean retryable = e instanceof BatchSqsException failure && failure.retryable();
            String rule =
                    retryable ? "" : "; the queue is looked up at most once per " + Check.text(QueueLookUps.INTERVAL);
            throw Refusals.before(
                    reference, SendFailedException.QUEUE_UNAVAILABLE, e.getMessage() + rule, retryable, e);
        }
        QueueSender sender = to(queue);
        if (sender == null) {
            throw Refusals.closed(reference);
        }
        byReference.put(reference, sender);
        return sender;
    }

    private @Nullable QueueSender to(Queue queue) {
        return Locked.get(lock, () -> {
            QueueSender known = byIdentity.get(QueueIdentity.of(queue.url()));
            if (known == null && !closed) {
                known = factory.apply(queue);
                byIdentity.put(QueueIdentity.of(queue.url()), known);
            }
            return known;
        });
    }

    /** Returns the senders so far. */
    Collection<QueueSender> all() {
        return Locked.get(lock, () -> List.copyOf(byIdentity.values()));
    }

    /** Closes all senders; no new ones are created. */
    void close() {
        Locked.run(lock, () -> closed = true);
        all().forEach(QueueSender::close);
    }
}
