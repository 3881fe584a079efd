/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.receive.delivery.Delivery;
import io.github.batchsqs.receive.delivery.InFlightLimit;
import io.github.batchsqs.receive.delivery.MessageMemory;
import io.github.batchsqs.receive.handoff.Dispatcher;
import io.github.batchsqs.support.Check;
import io.github.batchsqs.support.OncePerMinute;
import io.github.batchsqs.support.SafeLog;
import io.github.batchsqs.time.TimeSource;
import java.util.List;
import java.util.Objects;
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

    /** Returns whether messages of one group, and what waits behind them, may wait in addition to those that wait already. */
    boolean hasRoomFor(List<Delivery> deliveries) {
        return hasPermitsFor(deliveries.size()) && hasMemoryFor(deliveries);
    }

    private boolean hasPermitsFor(int messages) {
        int waiting = dispatcher.delayed();
        int max = limit.max();
        boolean room = waiting + messages <= max;
        if (!room && line.due()) {
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
        return room;
    }

    private boolean hasMemoryFor(List<Delivery> deliveries) {
        MessageMemory memory = limit.memory();
        long bytes = dispatcher.waitingBytes(
                Objects.requireNonNull(deliveries.getFirst().group()));
        for (Delivery delivery : deliveries) {
            bytes += delivery.bytes();
        }
        long waiting = memory.waitingForRetry();
        boolean room = waiting + bytes <= memory.maxWaitingForRetry();
        if (!room && line.due()) {
            log.warn(
                    "Listener {}: a failed message and the rest of its group return to {}, which raises their receive counts:"
                            + " {} + {} would wait for retries, and the maximum is half of batchsqs.in-flight-bytes ({}),"
                            + " and nothing more while messages in flight exceed it; raise it, and the heap",
                    listener,
                    queue,
                    Check.bytes(waiting),
                    Check.bytes(bytes),
                    Check.bytes(memory.max()));
        }
        return room;
    }
}
