/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.Groups;
import io.github.batchsqs.internal.receive.delivery.InFlightLimit;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.receive.delivery.Loss;
import io.github.batchsqs.internal.receive.handoff.Dispatcher;
import io.github.batchsqs.internal.receive.handoff.Requeued;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.OncePerMinute;
import io.github.batchsqs.internal.support.SafeLog;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The message groups of the hand-off, as the settlement sees them.
 *
 * <p>Messages that wait here for a retry keep their permits and their memory. So that they keep no other group out, they may have
 * half of each; a lone group may wait in any case.
 */
record DispatchedGroups(ListenerQueue source, Dispatcher dispatcher, InFlightLimit limit, OncePerMinute line)
        implements Groups {

    private static final SafeLog log = new SafeLog(LoggerFactory.getLogger(ListenerContainer.class));

    @Override
    public List<Delivery> removeWaiting(String group) {
        return dispatcher.removeWaiting(group);
    }

    @Override
    public List<Delivery> lose(String group, Loss loss) {
        return dispatcher.lose(group, loss);
    }

    @Override
    public @Nullable Loss loss(String group) {
        return dispatcher.loss(group);
    }

    @Override
    public boolean requeue(List<Delivery> deliveries, int alone) {
        return dispatcher.requeue(Requeued.now(deliveries, alone));
    }

    @Override
    public boolean retry(List<Delivery> deliveries, int alone, long notBefore) {
        AtomicBoolean full = new AtomicBoolean();
        boolean waits = dispatcher.requeue(Requeued.at(deliveries, alone, notBefore), () -> {
            full.set(!mayWait(deliveries));
            return !full.get();
        });
        if (full.get() && line.due()) { // without the dispatcher's lock
            log.warn(
                    "Listener {}: a failed message and the rest of its group return to {}, which raises their receive"
                            + " counts: messages that wait for retries have half of the in-flight limit ({}) or of"
                            + " batchsqs.in-flight-bytes ({}); raise prefetch, concurrency or batch-size, or the memory",
                    source.listener(),
                    source.name(),
                    limit.max(),
                    Check.bytes(limit.memory().max()));
        }
        return waits;
    }

    private boolean mayWait(List<Delivery> deliveries) {
        int waiting = dispatcher.delayed();
        long bytes = dispatcher.delayedBytes();
        for (Delivery delivery : deliveries) {
            bytes += delivery.bytes();
        }
        return waiting == 0
                || (waiting + deliveries.size() <= limit.max() / 2
                        && bytes <= limit.memory().max() / 2);
    }

    @Override
    public void settled(Delivery delivery) {
        dispatcher.settled(List.of(delivery));
    }
}
