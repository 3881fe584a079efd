/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.send;

import io.github.batchsqs.events.SenderEvent;
import io.github.batchsqs.events.SenderEvents;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.GuardedEvents;
import io.github.batchsqs.internal.support.SafeLog;
import io.github.batchsqs.time.TimeSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@link SenderEvents} of each queue, made once per queue and guarded.
 *
 * <p>Queues that were not found have events of their own up to {@link #MAX_NOT_FOUND}; the events of the others have the name
 * {@link #OTHERS}. An application with ever new names of missing queues thus does not fill the memory with meters.
 */
final class QueueEvents {

    private static final Logger log = LoggerFactory.getLogger(QueueEvents.class);

    static final int MAX_NOT_FOUND = 100;

    /** The common name of further queues that were not found; not a valid name of a queue. */
    static final String OTHERS = "(other)";

    private final Function<String, SenderEvents> factory;
    private final TimeSource time;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, SenderEvents> found = new HashMap<>();
    private final Map<String, SenderEvents> notFound = new HashMap<>();

    QueueEvents(Function<String, SenderEvents> factory, TimeSource time) {
        this.factory = factory;
        this.time = time;
    }

    /** Returns the events of a queue that exists. */
    SenderEvents found(String queue) {
        lock.lock();
        try {
            SenderEvents known = found.get(queue);
            if (known == null) {
                SenderEvents before = notFound.remove(queue);
                known = before == null ? made(queue) : before;
                found.put(queue, known);
            }
            return known;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the events of a queue that was not found so far. */
    SenderEvents notFound(String queue) {
        lock.lock();
        try {
            SenderEvents known = found.get(queue);
            if (known != null) {
                return known;
            }
            boolean room = notFound.size() < MAX_NOT_FOUND || notFound.containsKey(queue);
            return notFound.computeIfAbsent(room ? queue : OTHERS, this::made);
        } finally {
            lock.unlock();
        }
    }

    private SenderEvents made(String queue) {
        ForeignCode.Outcome<SenderEvents> made = ForeignCode.call(() -> factory.apply(queue));
        SenderEvents receiver = made.value();
        if (receiver == null) { // messages go out without their meters rather than not at all
            new SafeLog(log)
                    .error(
                            "Sender to {}: its SenderEvents could not be made; it goes on without them",
                            queue,
                            made.failure());
            return SenderEvents.NONE;
        }
        return new GuardedEvents<SenderEvent>(receiver::on, log, "Sender to " + queue + ": its SenderEvents", time)
                ::accept;
    }
}
