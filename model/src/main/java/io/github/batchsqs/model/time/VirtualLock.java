/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.time;

import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A lock for which strands wait in virtual time, and other threads as usual. A strand that wants it may lose control to others first. */
public class VirtualLock extends ReentrantLock {

    private static final long serialVersionUID = 1;

    /** In how many of so many requests others run first. */
    private static final int OTHERS_FIRST = 16;

    private final transient ArrayDeque<Strand.Wait> waiters = new ArrayDeque<>();

    /** Creates a lock. */
    public VirtualLock() {}

    /**
     * Creates a lock; strands get it in the order in which they ask in any case.
     *
     * @param fair whether other threads do
     */
    public VirtualLock(boolean fair) {
        super(fair);
    }

    @Override
    public void lock() {
        Strand me = Strand.current();
        if (me == null) {
            super.lock();
            return;
        }
        othersFirst(me);
        while (!super.tryLock()) {
            Strand.Wait wait = me.wait(false);
            waiters.add(wait);
            try {
                me.blockUninterruptibly(wait, Strand.NEVER);
            } finally {
                boolean unused = waiters.remove(wait);
            }
        }
    }

    @Override
    public boolean tryLock() {
        Strand me = Strand.current();
        if (me != null) {
            othersFirst(me);
        }
        return super.tryLock();
    }

    private void othersFirst(Strand me) {
        if (!isHeldByCurrentThread() && me.time.random().nextInt(OTHERS_FIRST) == 0) {
            me.letOthersRun();
        }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        Strand me = Strand.current();
        if (me == null) {
            super.lockInterruptibly();
            return;
        }
        boolean unused = acquired(me, Strand.NEVER);
    }

    @Override
    public boolean tryLock(long timeout, TimeUnit unit) throws InterruptedException {
        Strand me = Strand.current();
        return me == null
                ? super.tryLock(timeout, unit)
                : acquired(me, me.time.deadline(Math.max(0, unit.toNanos(timeout))));
    }

    private boolean acquired(Strand me, long deadline) throws InterruptedException {
        while (!super.tryLock()) {
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
    public void unlock() {
        super.unlock();
        if (!isLocked()) {
            for (Strand.Wait first = waiters.poll(); first != null && !first.end(); first = waiters.poll()) {
                // the next one
            }
        }
    }

    @Override
    public Condition newCondition() {
        return new StrandCondition(this, super.newCondition());
    }
}
