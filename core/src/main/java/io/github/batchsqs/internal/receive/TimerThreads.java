/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import io.github.batchsqs.internal.support.Alarm;
import io.github.batchsqs.internal.support.EngineLock;
import io.github.batchsqs.internal.support.Supervised;
import io.github.batchsqs.internal.support.TimeSource;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The timers of all listeners of the application. Looks beyond a bound wait, because a thread more would be a virtual one, which needs a
 * carrier. Safe for use by any thread.
 */
final class TimerThreads {

    private static final long IDLE_SECONDS = 60;

    private final ScheduledThreadPoolExecutor threads;

    /**
     * @param factory makes the threads; they need no carrier
     * @param maxLooks how many looks are taken at once
     */
    TimerThreads(ThreadFactory factory, int maxLooks) {
        threads = new ScheduledThreadPoolExecutor(maxLooks, factory);
        threads.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        threads.allowCoreThreadTimeOut(true);
        threads.setRemoveOnCancelPolicy(true);
    }

    /**
     * Makes the alarm of a look.
     *
     * @param time the clock by which the alarm is asked
     * @param failed gets what a look throws
     */
    Ring alarm(TimeSource time, Runnable look, Consumer<Throwable> failed) {
        return new Ring(time, look, failed);
    }

    /** One look, and when it is due. All but its constants belongs to its lock. */
    final class Ring implements Alarm {

        private final TimeSource time;
        private final Runnable look;
        private final Consumer<Throwable> failed;
        private final ReentrantLock lock = new EngineLock(true);
        private long at = NEVER;
        private @Nullable ScheduledFuture<?> next;
        private boolean taken;
        private boolean ended;

        private Ring(TimeSource time, Runnable look, Consumer<Throwable> failed) {
            this.time = time;
            this.look = look;
            this.failed = failed;
        }

        @Override
        public void ringAt(long nanos) {
            lock.lock();
            try {
                if (!ended && (at == NEVER || at - nanos > 0)) {
                    at = nanos;
                    schedule();
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
                cancel();
            } finally {
                lock.unlock();
            }
        }

        private void take() {
            lock.lock();
            try {
                if (ended || taken || at == NEVER) {
                    return; // a look was taken meanwhile
                }
                taken = true;
                at = NEVER;
            } finally {
                lock.unlock();
            }
            Supervised.run(look, failed);
            Supervised.run(this::hasTaken, failed);
        }

        private void hasTaken() {
            lock.lock();
            try {
                taken = false;
                schedule();
            } finally {
                lock.unlock();
            }
        }

        private void schedule() {
            if (!taken && !ended && at != NEVER) {
                cancel();
                next = threads.schedule(this::take, Math.max(0, at - time.nanos()), TimeUnit.NANOSECONDS);
            }
        }

        private void cancel() {
            if (next != null) {
                boolean ignored = next.cancel(false);
            }
        }
    }
}
