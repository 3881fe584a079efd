/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.live;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/** Reads the numbers twice a second, and keeps those of the last minute for everybody who watches. */
@Component
class LiveFeed {

    private static final long EVERY_MILLIS = 500;
    private static final int PAST = 120;

    private final LiveNumbers numbers;
    private final LiveDepths depths;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Map<String, Recent>> past = new ArrayDeque<>();
    private @Nullable Live latest;
    private long number;

    LiveFeed(LiveNumbers numbers, LiveDepths depths) {
        this.numbers = numbers;
        this.depths = depths;
    }

    @Scheduled(fixedDelay = EVERY_MILLIS)
    void read() {
        lock.lock();
        try {
            readNow();
        } finally {
            lock.unlock();
        }
    }

    private Live readNow() {
        Live live = numbers.at(System.nanoTime(), depths::known);
        latest = live;
        number++;
        past.addLast(live.listeners().stream().collect(Collectors.toMap(ListenerView::id, ListenerView::recent)));
        if (past.size() > PAST) {
            past.removeFirst();
        }
        return live;
    }

    /** The newest numbers, and the past since the reading of that number; the whole last minute if there was none. */
    Live since(long seen) {
        lock.lock();
        try {
            Live live = latest == null ? readNow() : latest;
            long missed = seen > number ? number : number - seen;
            return live.after(
                    number,
                    past.stream().skip(Math.max(0, past.size() - missed)).toList());
        } finally {
            lock.unlock();
        }
    }
}
