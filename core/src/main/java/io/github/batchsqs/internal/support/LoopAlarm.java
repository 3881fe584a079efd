/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The alarm of a loop that takes the looks on a thread of its own, which alone calls {@link #await}. It has no lock. */
public final class LoopAlarm implements Alarm {

    private final TimeSource time;
    private final AtomicLong at = new AtomicLong(NEVER);
    private volatile @Nullable Thread loop;

    public LoopAlarm(TimeSource time) {
        this.time = time;
    }

    @Override
    public void ringAt(long nanos) {
        long before = at.getAndAccumulate(nanos, Alarm::earlier);
        if (before == NEVER || nanos - before < 0) {
            LockSupport.unpark(loop);
        }
    }

    /** Waits for the next look, which the loop takes then. */
    public void await() throws InterruptedException {
        loop = Thread.currentThread();
        for (long wanted = at.get(); wanted == NEVER || wanted - time.nanos() > 0; wanted = at.get()) {
            time.park(this, wanted == NEVER ? NEVER : wanted - time.nanos());
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
        at.set(NEVER);
    }
}
