/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import java.time.Duration;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The timers of the listeners of a client, or of a template. While a look is due at some time, one thread waits for it and has others take
 * the looks, so that one that takes long does not hold up the others. Looks beyond a bound wait, because a thread more would be a virtual
 * one, which needs a carrier.
 *
 * <p>Safe for use by any thread. There is no lock: whoever asks for a look perhaps holds one.
 */
public final class TimerThreads {

    /** After so long the watcher asks again for a look that other looks have kept waiting: their ends may have missed it. */
    private static final long TRY_AGAIN = Duration.ofMillis(100).toNanos();

    /**
     * So long the watcher goes on with nothing to wait for: whoever asks for a look of a run, perhaps with a lock held,
     * needs no new one.
     */
    private static final long LINGERS = Duration.ofSeconds(1).toNanos();

    private final Executor threads;
    private final Semaphore looks;

    /** Those that are asked for, perhaps while their last look is taken. */
    private final Set<Ring> rung = new ConcurrentSkipListSet<>(Comparator.comparingLong(ring -> ring.number));

    private final AtomicLong rings = new AtomicLong();

    private final AtomicBoolean watched = new AtomicBoolean();
    private volatile @Nullable Thread watcher;

    /**
     * Makes timers; no thread runs before the first look is asked for.
     *
     * @param threads runs each task at once; for listeners without a carrier
     * @param maxLooks how many looks are taken at once
     */
    public TimerThreads(Executor threads, int maxLooks) {
        this.threads = threads;
        this.looks = new Semaphore(maxLooks);
    }

    /**
     * Makes the alarm of a look.
     *
     * @param time the clock by which the alarm is asked
     * @param failed gets what a look throws; nothing is asked for after it
     */
    public Ring alarm(TimeSource time, Runnable look, Consumer<Throwable> failed) {
        return new Ring(time, look, failed);
    }

    /** One look, and when it is due by the clock of this machine. */
    public final class Ring implements Alarm {

        private final long number = rings.incrementAndGet();
        private final TimeSource time;
        private final Runnable look;
        private final Consumer<Throwable> failed;
        private final AtomicLong at = new AtomicLong(NEVER);
        private volatile boolean taken;
        private volatile boolean ended;

        private Ring(TimeSource time, Runnable look, Consumer<Throwable> failed) {
            this.time = time;
            this.look = look;
            this.failed = failed;
        }

        @Override
        public void ringAt(long nanos) {
            long wanted = System.nanoTime() + Math.max(0, nanos - time.nanos());
            if (at.accumulateAndGet(wanted, Alarm::earlier) == wanted) {
                rung.add(this);
                if (ended) {
                    rung.remove(this);
                } else {
                    wakeWatcher();
                }
            }
        }

        /** No look is taken any more; one that is being taken goes on. */
        public void end() {
            ended = true;
            rung.remove(this);
        }

        /** Returns after how long the look is due; {@link #NEVER} if nobody asks for it. While one is taken, its end wakes the watcher. */
        private long left(long now) {
            long wanted = at.get();
            if (ended || wanted == NEVER) { // it may be among the rung for a moment after its end
                return NEVER;
            }
            return taken ? LINGERS : Math.max(0, wanted - now);
        }

        private void take() {
            rung.remove(this); // first: whoever asks from here on adds it again
            at.set(NEVER);
            try {
                Supervised.run(look, failed);
            } finally {
                boolean othersWait = looks.availablePermits() == 0;
                looks.release();
                taken = false;
                if (othersWait || at.get() != NEVER) {
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
        threads.execute(this::watch);
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
                left = handOver(ring) ? Alarm.NEVER : TRY_AGAIN;
            }
            next = Math.min(next, left);
        }
        return next;
    }

    /** Has the look taken, unless others wait for their end. */
    private boolean handOver(Ring due) {
        if (!looks.tryAcquire()) {
            return false;
        }
        due.taken = true;
        threads.execute(due::take);
        return true;
    }
}
