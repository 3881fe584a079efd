/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.time;

import java.util.ArrayDeque;
import java.util.Date;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** A condition whose waits take virtual time. Those who wait look again, as with any condition. */
@SuppressWarnings({"WaitNotInLoop", "LockNotBeforeTry"}) // the loops are the callers', and so are the locks
final class StrandCondition implements Condition {

    private final ReentrantLock lock;
    /** For threads that are no strands. */
    private final Condition usual;

    private final ArrayDeque<Strand.Wait> waiters = new ArrayDeque<>();

    StrandCondition(ReentrantLock lock, Condition usual) {
        this.lock = lock;
        this.usual = usual;
    }

    @Override
    public void await() throws InterruptedException {
        Strand me = Strand.current();
        if (me == null) {
            usual.await();
        } else {
            waitUntil(me, Strand.NEVER, true);
        }
    }

    @Override
    public long awaitNanos(long nanos) throws InterruptedException {
        Strand me = Strand.current();
        if (me == null) {
            return usual.awaitNanos(nanos);
        }
        long began = me.time.nanos();
        waitUntil(me, me.time.deadline(nanos), true);
        return nanos - (me.time.nanos() - began);
    }

    @Override
    public boolean await(long time, TimeUnit unit) throws InterruptedException {
        return awaitNanos(unit.toNanos(time)) > 0;
    }

    @Override
    public void awaitUninterruptibly() {
        Strand me = Strand.current();
        if (me == null) {
            usual.awaitUninterruptibly();
            return;
        }
        try {
            waitUntil(me, Strand.NEVER, false);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public boolean awaitUntil(Date deadline) throws InterruptedException {
        if (Strand.current() == null) {
            return usual.awaitUntil(deadline);
        }
        throw new UnsupportedOperationException("Strands wait for durations");
    }

    private void waitUntil(Strand me, long deadline, boolean interruptible) throws InterruptedException {
        Strand.Wait wait = me.wait(interruptible);
        waiters.add(wait);
        int holds = lock.getHoldCount();
        for (int i = 0; i < holds; i++) {
            lock.unlock();
        }
        try {
            me.block(wait, deadline);
        } finally {
            boolean unused = waiters.remove(wait);
            for (int i = 0; i < holds; i++) {
                lock.lock();
            }
        }
    }

    @Override
    public void signal() {
        requireLock();
        for (Strand.Wait first = waiters.poll(); first != null; first = waiters.poll()) {
            if (first.end()) {
                return;
            }
        }
        usual.signal();
    }

    @Override
    public void signalAll() {
        requireLock();
        waiters.forEach(Strand.Wait::end);
        waiters.clear();
        usual.signalAll();
    }

    private void requireLock() {
        if (!lock.isHeldByCurrentThread()) {
            throw new IllegalMonitorStateException("The lock is not held");
        }
    }
}
