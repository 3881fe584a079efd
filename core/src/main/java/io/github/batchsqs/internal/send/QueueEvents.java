/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.send;

import io.github.batchsqs.internal.events.SenderEvent;
import io.github.batchsqs.internal.events.SenderEvents;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.GuardedEvents;
import io.github.batchsqs.internal.support.SafeLog;
import io.github.batchsqs.internal.support.SqsLimits;
import io.github.batchsqs.internal.support.TimeSource;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@link SenderEvents} of each queue, made once per queue and guarded.
 *
 * <p>A queue that was not found has events of its own as long as there are fewer than {@link #MAX_WITH_UNKNOWN}; the others have the name
 * {@link #OTHERS}. An application with ever new names of missing queues thus does not fill the memory with meters.
 */
final class QueueEvents {

    private static final Logger log = LoggerFactory.getLogger(QueueEvents.class);

    static final int MAX_WITH_UNKNOWN = 100;

    /** The common name of further queues that were not found; not a valid name of a queue. */
    static final String OTHERS = "(other)";

    private final Function<String, SenderEvents> factory;
    private final TimeSource time;
    private final ConcurrentMap<String, SenderEvents> byName = new ConcurrentHashMap<>();

    QueueEvents(Function<String, SenderEvents> factory, TimeSource time) {
        this.factory = factory;
        this.time = time;
    }

    /** Returns the events of a queue that exists. */
    SenderEvents ofFound(String name) {
        return byName.computeIfAbsent(name, this::made);
    }

    /** Returns the events of a queue by its name, URL or ARN, whether it exists or not. */
    SenderEvents of(String reference) {
        String name = SqsLimits.queueName(reference);
        boolean own = byName.containsKey(name) || byName.size() < MAX_WITH_UNKNOWN;
        return byName.computeIfAbsent(own ? name : OTHERS, this::made);
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
