/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import java.time.Duration;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The timers of the listeners of a client, or of a template. While a look is due at some time, one thread waits for it and has others take
 * the looks, so that one that takes long does not hold up the others.
 *
 * <p>Safe for use by any thread. There is no lock; the executors may have one.
 */
public final class TimerThreads {

    /**
     * So long the watcher goes on with nothing to wait for: whoever asks for a look of a run needs no new one.
     */
    private static final long LINGERS = Duration.ofSeconds(1).toNanos();

    private final Executor watchers;
    private final Executor looks;

    /** Those that are asked for, perhaps while their last look is taken. */
    private final Set<Ring> rung = new ConcurrentSkipListSet<>(Comparator.comparingLong(ring -> ring.number));

    private final AtomicLong rings = new AtomicLong();

    private final AtomicBoolean watched = new AtomicBoolean();
    private volatile @Nullable Thread watcher;

    /**
     * Makes timers; no thread runs before the first look is asked for.
     *
     * @param watchers runs the one that waits, and perhaps another that is about to end
     * @param looks runs each look at once
     */
    public TimerThreads(Executor watchers, Executor looks) {
        this.watchers = watchers;
        this.looks = looks;
    }

    /**
     * Makes the alarm of a look.
     *
     * @param time the clock by which the alarm is asked
     * @param failed gets what a look throws; nothing is asked for after it
     */
    public Alarm alarm(TimeSource time, Runnable look, Consumer<Throwable> failed) {
        return new Ring(time, look, failed);
    }

    /** One look, and when it is due by the clock of this machine. */
    private final class Ring implements Alarm {

        private final long number = rings.incrementAndGet();
        private final TimeSource time;
        private final Runnable look;
        private final Consumer<Throwable> failed;
        private final AtomicLong at = new AtomicLong(NEVER);
        private volatile boolean taken;

        Ring(TimeSource time, Runnable look, Consumer<Throwable> failed) {
            this.time = time;
            this.look = look;
            this.failed = failed;
        }

        @Override
        public void ringAt(long nanos) {
            long wanted = System.nanoTime() + Math.max(0, nanos - time.nanos());
            if (at.accumulateAndGet(wanted, Alarm::earlier) == wanted) {
                rung.add(this);
                wakeWatcher();
            }
        }

        /** Returns after how long the look is due; {@link #NEVER} if nobody asks for it. While one is taken, its end wakes the watcher. */
        private long left(long now) {
            long wanted = at.get();
            return wanted == NEVER ? NEVER : taken ? LINGERS : Math.max(0, wanted - now);
        }

        private void take() {
            rung.remove(this); // first: whoever asks from here on adds it again
            at.set(NEVER);
            try {
                Supervised.run(look, failed);
            } finally {
                taken = false;
                if (at.get() != NEVER) {
                    wakeWatcher();
                }
            }
        }
    }

    /** Has the watcher look at what is asked for, or a new one if it has ended. */
    private void wakeWatcher() {
        if (!watched.compareAndSet(false, true)) {
            LockSupport.unpark(watcher);
            return;
        }
        watchers.execute(this::watch);
    }

    private void watch() {
        do {
            try {
                watcher = Thread.currentThread(); // again: another may have watched meanwhile
                for (long last = System.nanoTime(); System.nanoTime() - last < LINGERS; ) {
                    long left = handOverDue();
                    LockSupport.parkNanos(this, left == Alarm.NEVER ? LINGERS : left);
                    boolean ignored = Thread.interrupted(); // a look may have passed its thread on
                    last = left == Alarm.NEVER ? last : System.nanoTime();
                }
            } finally { // also if it throws: whoever rings next starts another
                watched.set(false);
            }
        } while (rung.stream().anyMatch(ring -> ring.left(0) != Alarm.NEVER) && watched.compareAndSet(false, true));
    }

    /** Returns after how long to do so again; {@link Alarm#NEVER} if nothing is asked for. */
    private long handOverDue() {
        long next = Alarm.NEVER;
        long now = System.nanoTime();
        for (Ring ring : rung) {
            long left = ring.left(now);
            if (left == 0) {
                ring.taken = true;
                looks.execute(ring::take);
            } else {
                next = Math.min(next, left);
            }
        }
        return next;
    }
}
