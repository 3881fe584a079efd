/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.time;

import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A pool that runs what a strand schedules on a strand of its own, which needs no carrier and begins when the delay is over, and everything
 * else as usual.
 */
public class VirtualScheduledPool extends ScheduledThreadPoolExecutor {

    /**
     * Creates a pool.
     *
     * @param core the number of its threads, which has no meaning in virtual time
     * @param threads makes the threads
     */
    public VirtualScheduledPool(int core, ThreadFactory threads) {
        super(core, threads);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        Strand me = Strand.current();
        if (me == null) {
            return super.schedule(task, delay, unit);
        }
        VirtualTime time = me.time;
        VirtualTime.Host host = me.host;
        Runnable begin = () -> time.begin(time.strand(host, false, "scheduled", task));
        return new Scheduled(time.at(time.deadline(unit.toNanos(delay)), begin));
    }

    private static final class Scheduled extends FutureTask<@Nullable Void> implements ScheduledFuture<@Nullable Void> {

        private final VirtualTime.Event begin;

        Scheduled(VirtualTime.Event begin) {
            super(() -> null);
            this.begin = begin;
        }

        @Override
        public boolean cancel(boolean interrupts) {
            begin.cancel();
            return super.cancel(interrupts);
        }

        @Override
        public long getDelay(TimeUnit unit) {
            throw new UnsupportedOperationException("Nobody asks");
        }

        @Override
        public int compareTo(Delayed other) {
            throw new UnsupportedOperationException("Nobody asks");
        }
    }
}
