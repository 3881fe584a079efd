/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample.live;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.context.SmartLifecycle;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Reads the numbers twice a second, and hands them to everybody who watches. It ends before the web server does, which
 * would otherwise wait for those who watch.
 */
@Component
class LiveFeed implements SmartLifecycle {

    private static final long EVERY_MILLIS = 500;
    private static final int PAST = 120;

    private final LiveNumbers numbers;
    private final LiveDepths depths;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Deque<Map<String, Recent>> past = new ArrayDeque<>();
    private @Nullable Live latest;
    private long version;
    private boolean running;

    /** The numbers, and how many there were before them. */
    record Numbered(long version, Live live) {}

    LiveFeed(LiveNumbers numbers, LiveDepths depths) {
        this.numbers = numbers;
        this.depths = depths;
    }

    @Scheduled(fixedDelay = EVERY_MILLIS)
    void read() {
        Live live = numbers.at(System.nanoTime(), depths::known);
        lock.lock();
        try {
            latest = live;
            version++;
            past.addLast(recent(live));
            if (past.size() > PAST) {
                past.removeFirst();
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private static Map<String, Recent> recent(Live live) {
        return live.listeners().stream().collect(Collectors.toMap(ListenerView::id, ListenerView::recent));
    }

    /** The last minute, the oldest first: what happened in each listener, by its id. */
    List<Map<String, Recent>> past() {
        lock.lock();
        try {
            return List.copyOf(past);
        } finally {
            lock.unlock();
        }
    }

    /** The next numbers after those of a version, or {@code null} if there are no more. */
    @Nullable
    Numbered after(long seen) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (running && version == seen) {
                changed.await();
            }
            Live live = latest;
            return running && live != null ? new Numbered(version, live) : null;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void start() {
        set(true);
    }

    @Override
    public void stop() {
        set(false);
    }

    @Override
    public boolean isRunning() {
        lock.lock();
        try {
            return running;
        } finally {
            lock.unlock();
        }
    }

    private void set(boolean to) {
        lock.lock();
        try {
            running = to;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
