/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.receive.delivery.InFlightLimit;
import io.github.batchsqs.receive.handoff.Dispatcher;
import io.github.batchsqs.support.OncePerMinute;
import io.github.batchsqs.support.SafeLog;
import io.github.batchsqs.time.TimeSource;
import org.slf4j.LoggerFactory;

/**
 * Bounds how many messages of FIFO groups wait here for retries: {@link InFlightLimit#max()}. The limit of the moment would be
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

    /** Returns whether the given number of messages may wait in addition to those that wait already. */
    boolean hasRoomFor(int messages) {
        int waiting = dispatcher.delayed();
        int max = limit.max();
        boolean room = waiting + messages <= max;
        if (!room) {
            logFull(messages, waiting, max);
        }
        return room;
    }

    private void logFull(int messages, int waiting, int max) {
        if (line.due()) {
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
    }
}
