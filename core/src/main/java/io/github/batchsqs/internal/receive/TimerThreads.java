/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import io.github.batchsqs.internal.support.Alarm;
import io.github.batchsqs.internal.support.EngineLock;
import io.github.batchsqs.internal.support.Supervised;
import io.github.batchsqs.internal.support.TimeSource;
import java.time.Duration;
import java.util.Comparator;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The timers of all listeners of the application. While a look is due at some time, one thread waits for it and has others take the looks,
 * so that one that takes long does not hold up the others. Looks beyond a bound wait, because a thread more would be a virtual one, which
 * needs a carrier.
 *
 * <p>Safe for use by any thread.
 */
final class TimerThreads {

    private static final Logger log = LoggerFactory.getLogger(TimerThreads.class);

    /** How late a look is for which no thread could be started. */
    private static final long TRY_AGAIN = Duration.ofMillis(100).toNanos();

    private final Executor threads;
    private final int maxLooks;
    private final long origin = System.nanoTime();
    private final ReentrantLock lock = new EngineLock(true);
    private final TreeSet<Ring> waiting = new TreeSet<>(
            Comparator.comparingLong((Ring ring) -> ring.at - origin).thenComparingLong(ring -> ring.number));

    private final Condition changed = lock.newCondition();
    private boolean watched;
    private long rings;
    private int looks;

    /**
     * @param threads runs each task at once; needs no carrier
     * @param maxLooks how many looks are taken at once
     */
    TimerThreads(Executor threads, int maxLooks) {
        this.threads = threads;
        this.maxLooks = maxLooks;
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

        private void take() {
            try {
                Supervised.run(look, failed);
            } finally {
                lock.lock();
                try {
                    looks--;
                    changed.signal();
                    taken = false;
                    if (at != NEVER && !ended) {
                        add(this);
                    }
                } finally {
                    lock.unlock();
                }
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
            threads.execute(this::watch);
            watched = true;
        }
    }

    private void watch() {
        lock.lock();
        try {
            while (!waiting.isEmpty()) {
                long left = waiting.first().at - System.nanoTime();
                if (left <= 0 && looks < maxLooks) {
                    handOver(waiting.removeFirst());
                } else {
                    awaitChange(left > 0 ? left : Long.MAX_VALUE);
                }
            }
        } finally {
            watched = false;
            lock.unlock();
        }
    }

    @SuppressWarnings("WaitNotInLoop") // the loop is the caller's
    private void awaitChange(long nanos) {
        try {
            long ignored = changed.awaitNanos(nanos);
        } catch (InterruptedException e) {
            log.trace("An interrupt does not end the timers", e); // a look may have passed its thread on
        }
    }

    private void handOver(Ring due) {
        try {
            threads.execute(due::take);
            looks++;
            due.at = Alarm.NEVER;
            due.taken = true;
        } catch (OutOfMemoryError e) { // no thread can be started now
            due.at = System.nanoTime() + TRY_AGAIN;
            waiting.add(due);
        }
    }
}
