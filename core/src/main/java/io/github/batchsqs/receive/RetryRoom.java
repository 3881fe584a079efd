/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.receive.delivery.Delivery;
import io.github.batchsqs.receive.delivery.InFlightLimit;
import io.github.batchsqs.receive.delivery.MessageMemory;
import io.github.batchsqs.receive.handoff.Dispatcher;
import io.github.batchsqs.receive.handoff.Requeued;
import io.github.batchsqs.support.Check;
import io.github.batchsqs.support.OncePerMinute;
import io.github.batchsqs.support.SafeLog;
import io.github.batchsqs.time.TimeSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Bounds the messages of FIFO groups that wait here for retries, so that they keep no other group out: by their number, {@link
 * InFlightLimit#max()}, and by their size, half of the memory that all listeners share. The limit of the moment would be
 * too low, because an automatic limit falls while nothing is settled, that is, while groups wait.
 *
 * <p>A group that finds no room returns to the queue. The log reports it at most once a minute. Safe for use by any thread.
 */
final class RetryRoom {

    private static final SafeLog log = new SafeLog(LoggerFactory.getLogger(ListenerContainer.class));

    private final String listener;
    private final String queue;
    private final Dispatcher dispatcher;
    private final InFlightLimit limit;
    private final OncePerMinute line;

    RetryRoom(String listener, String queue, Dispatcher dispatcher, InFlightLimit limit, TimeSource time) {
        this.listener = listener;
        this.queue = queue;
        this.dispatcher = dispatcher;
        this.limit = limit;
        this.line = new OncePerMinute(time);
    }

    /**
     * Requeues messages of one group, if they and what waits behind them may wait in addition to those that wait already. The room
     * is taken before anybody else can look for it.
     *
     * @return whether they wait here now
     */
    boolean requeue(Requeued requeued) {
        AtomicReference<@Nullable Runnable> refused = new AtomicReference<>();
        boolean waits = dispatcher.requeue(requeued, () -> {
            Runnable full = takeFor(requeued.deliveries());
            refused.set(full);
            return full == null;
        });
        Runnable full = refused.get();
        if (full != null && line.due()) {
            full.run(); // without the dispatcher's lock
        }
        return waits;
    }

    /** Takes room, or returns what logs that there is none. Nothing of a group is taken that does not wait anyway. */
    private @Nullable Runnable takeFor(List<Delivery> deliveries) {
        String group = Objects.requireNonNull(deliveries.getFirst().group());
        if (dispatcher.loss(group) != null) {
            return null;
        }
        int waiting = dispatcher.delayed();
        int max = limit.max();
        if (waiting + deliveries.size() > max) {
            return () -> logNoPermits(waiting, deliveries.size(), max);
        }
        long bytes = dispatcher.waitingBytes(group);
        for (Delivery delivery : deliveries) {
            bytes += delivery.bytes();
        }
        long all = bytes;
        return limit.takeToWait(all) ? null : () -> logNoMemory(all);
    }

    private void logNoPermits(int waiting, int messages, int max) {
        log.warn(
                "Listener {}: a failed message and the rest of its group return to {}, which raises their receive counts:"
                        + " {} + {} messages would wait for retries, and the maximum is {}, as many as the listener"
                        + " may have in flight; raise prefetch, concurrency or batch-size",
                listener,
                queue,
                waiting,
                messages,
                max);
    }

    private void logNoMemory(long bytes) {
        MessageMemory memory = limit.memory();
        log.warn(
                "Listener {}: a failed message and the rest of its group return to {}, which raises their receive counts:"
                        + " {} + {} would wait for retries, and the maximum is half of batchsqs.in-flight-bytes ({}),"
                        + " and nothing more while messages in flight exceed it; raise it, and the heap",
                listener,
                queue,
                Check.bytes(memory.waitingForRetry()),
                Check.bytes(bytes),
                Check.bytes(memory.max()));
    }
}
