/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.live;

import io.github.batchsqs.errors.BatchSqsException;
import io.github.batchsqs.receive.ListenerContainer;
import io.github.batchsqs.receive.ListenerContainers;
import io.github.batchsqs.sample.queues.QueueDepths;
import io.github.batchsqs.sample.queues.QueueDepths.Depth;
import io.github.batchsqs.sample.race.RaceListeners;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import software.amazon.awssdk.core.exception.SdkException;

/** Asks how many messages the listeners' queues hold, while somebody watches. */
@Component
class LiveDepths {

    private static final Logger log = LoggerFactory.getLogger(LiveDepths.class);

    private static final long WATCHED_FOR = TimeUnit.SECONDS.toNanos(5);

    private final QueueDepths queues;
    private final ListenerContainers containers;
    private final Map<String, Depth> known = new ConcurrentHashMap<>();
    private final ReentrantLock asking = new ReentrantLock();
    private volatile long watchedAt = System.nanoTime() - WATCHED_FOR;

    LiveDepths(QueueDepths queues, ListenerContainers containers) {
        this.queues = queues;
        this.containers = containers;
    }

    /** Somebody watches at this moment. */
    void watched() {
        watchedAt = System.nanoTime();
    }

    /** What a queue held at the last look, or {@code null} if it did not answer, or nobody has watched. */
    @Nullable
    Depth known(String queue) {
        return known.get(queue);
    }

    /** Each run has a thread of its own, and one may take long in an outage: then others pass. */
    @Scheduled(fixedRateString = "${sample.depth-every:1s}")
    void ask() throws InterruptedException {
        if (System.nanoTime() - watchedAt >= WATCHED_FOR) {
            known.clear();
        } else if (asking.tryLock()) {
            try {
                for (ListenerContainer each : RaceListeners.without(containers.all())) {
                    ask(each.options().queue());
                }
            } finally {
                asking.unlock();
            }
        }
    }

    private void ask(String queue) throws InterruptedException {
        try {
            known.put(queue, queues.of(queue));
        } catch (SdkException | BatchSqsException noAnswer) {
            known.remove(queue);
            log.debug("The queue {} did not tell its depth", queue, noAnswer);
        }
    }
}
