/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.time;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A latch for which strands wait in virtual time, and other threads as usual. */
public class VirtualLatch extends CountDownLatch {

    private final List<Strand.Wait> waiters = new ArrayList<>();

    /**
     * Creates a latch.
     *
     * @param count how often it must be counted down
     */
    public VirtualLatch(int count) {
        super(count);
    }

    @Override
    public void await() throws InterruptedException {
        Strand me = Strand.current();
        if (me == null) {
            super.await();
        } else {
            boolean unused = reached(me, Strand.NEVER);
        }
    }

    @Override
    public boolean await(long timeout, TimeUnit unit) throws InterruptedException {
        Strand me = Strand.current();
        return me == null
                ? super.await(timeout, unit)
                : reached(me, me.time.deadline(Math.max(0, unit.toNanos(timeout))));
    }

    private boolean reached(Strand me, long deadline) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException("Interrupted before it waited");
        }
        while (getCount() > 0) {
            if (me.time.nanos() >= deadline) {
                return false;
            }
            Strand.Wait wait = me.wait(true);
            waiters.add(wait);
            try {
                me.block(wait, deadline);
            } finally {
                boolean unused = waiters.remove(wait);
            }
        }
        return true;
    }

    @Override
    public void countDown() {
        super.countDown();
        if (getCount() == 0) {
            waiters.forEach(Strand.Wait::end);
            waiters.clear();
        }
    }
}
