/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.internal.support.Alarm;
import io.github.batchsqs.internal.support.EngineLock;
import io.github.batchsqs.internal.support.Supervised;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.Comparator;
import java.util.TreeSet;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The timers of all listeners of the application. A few platform threads take the looks, so that no look waits for a carrier, and one
 * that takes long does not hold up the others. Threads end when there was no look for a while.
 *
 * <p>Safe for use by any thread.
 */
final class TimerThreads {

    private static final long IDLE_NANOS = Duration.ofSeconds(30).toNanos();

    private final ThreadFactory factory;
    private final int max;
    private final long origin = System.nanoTime();
    private final ReentrantLock lock = new EngineLock();
    private final TreeSet<Ring> waiting = new TreeSet<>(
            Comparator.comparingLong((Ring ring) -> ring.at - origin).thenComparingLong(ring -> ring.number));

    /** The watch waits here for the time of the next look. */
    private final Condition changed = lock.newCondition();

    /** The other free threads wait here until they are needed. */
    private final Condition needed = lock.newCondition();

    private boolean watched;
    private long rings;
    private int threads;
    private int free;

    /** @param max how many looks are taken at a time */
    TimerThreads(ThreadFactory factory, int max) {
        this.factory = factory;
        this.max = max;
    }

    /**
     * Makes the alarm of a look.
     *
     * @param time the clock by which the alarm is asked
     * @param failed gets what a look throws; nothing is asked for after it
     */
    Ring alarm(TimeSource time, Runnable look, Consumer<Throwable> failed) {
        lock.lock();
        try {
            return new Ring(rings++, time, look, failed);
        } finally {
            lock.unlock();
        }
    }

    /** One look, and when it is due by the clock of this machine. All but its constants belongs to the lock. */
    final class Ring implements Alarm {

        private final long number;
        private final TimeSource time;
        private final Runnable look;
        private final Consumer<Throwable> failed;
        private long at = NEVER;
        private boolean taken;
        private boolean ended;

        private Ring(long number, TimeSource time, Runnable look, Consumer<Throwable> failed) {
            this.number = number;
            this.time = time;
            this.look = look;
            this.failed = failed;
        }

        @Override
        public void ringAt(long nanos) {
            long wanted = System.nanoTime() + Math.max(0, nanos - time.nanos());
            lock.lock();
            try {
                if (ended || (at != NEVER && at - wanted <= 0)) {
                    return;
                }
                boolean ignored = waiting.remove(this);
                at = wanted;
                if (!taken) {
                    add(this);
                }
            } finally {
                lock.unlock();
            }
        }

        /** No look is taken any more; one that is being taken goes on. */
        void end() {
            lock.lock();
            try {
                ended = true;
                boolean ignored = waiting.remove(this);
            } finally {
                lock.unlock();
            }
        }
    }

    private void add(Ring ring) {
        waiting.add(ring);
        if (watched) {
            if (waiting.first().equals(ring)) {
                changed.signal();
            }
        } else {
            needThread();
        }
    }

    /** Somebody must watch. While no thread can be started, those that are there take the looks, later. */
    private void needThread() {
        if (free > 0) {
            needed.signal();
        } else if (threads < max) {
            try {
                factory.newThread(this::takeLooks).start();
                threads++;
            } catch (OutOfMemoryError e) {
                if (threads == 0) {
                    throw e;
                }
            }
        }
    }

    private void takeLooks() {
        boolean over = false;
        try {
            for (Ring ring = next(); ring != null; ring = next()) {
                try {
                    Supervised.run(ring.look, ring.failed); // the others need their looks all the same
                } finally {
                    taken(ring);
                    boolean ignored = Thread.interrupted(); // the look's own
                }
            }
            over = true;
        } finally {
            if (!over) {
                replace();
            }
        }
    }

    /** This thread ends by what a look's owner threw. */
    private void replace() {
        lock.lock();
        try {
            threads--;
            if (!watched && !waiting.isEmpty()) {
                needThread();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the next look; {@code null} if the thread should end. */
    private @Nullable Ring next() {
        lock.lock();
        free++;
        try {
            long left = IDLE_NANOS;
            while (watched && left > 0) {
                left = needed.awaitNanos(left);
            }
            Ring ring = watched ? null : watch();
            if (ring == null) {
                threads--;
            }
            return ring;
        } catch (InterruptedException e) {
            throw new IllegalStateException("Nobody interrupts a timer", e);
        } finally {
            free--;
            lock.unlock();
        }
    }

    private @Nullable Ring watch() throws InterruptedException {
        watched = true;
        try {
            long left = IDLE_NANOS;
            while (waiting.isEmpty() || waiting.first().at - System.nanoTime() > 0) {
                if (!waiting.isEmpty()) {
                    long ignored = changed.awaitNanos(waiting.first().at - System.nanoTime());
                    left = IDLE_NANOS;
                } else if (left > 0) {
                    left = changed.awaitNanos(left);
                } else {
                    return null;
                }
            }
        } finally {
            watched = false;
        }
        Ring first = waiting.removeFirst();
        first.at = Alarm.NEVER;
        first.taken = true;
        if (!waiting.isEmpty()) {
            free--; // this thread
            needThread();
            free++;
        }
        return first;
    }

    private void taken(Ring ring) {
        lock.lock();
        try {
            ring.taken = false;
            if (ring.at != Alarm.NEVER && !ring.ended) {
                add(ring); // this thread may be the next watch
            }
        } finally {
            lock.unlock();
        }
    }
}
