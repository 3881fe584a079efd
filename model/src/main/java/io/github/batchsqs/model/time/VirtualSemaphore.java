/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.time;

import java.util.ArrayDeque;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A semaphore for which strands wait in virtual time and in order, and other threads as usual. */
public class VirtualSemaphore extends Semaphore {

    private static final long serialVersionUID = 1;

    private final transient ArrayDeque<Waiter> waiters = new ArrayDeque<>();

    private static final class Waiter {
        private final int permits;
        private final Strand.Wait wait;
        private boolean served;

        Waiter(int permits, Strand.Wait wait) {
            this.permits = permits;
            this.wait = wait;
        }
    }

    /**
     * Creates a semaphore.
     *
     * @param permits how many permits it has
     */
    public VirtualSemaphore(int permits) {
        super(permits);
    }

    /**
     * Creates a semaphore.
     *
     * @param permits how many permits it has
     * @param fair whether other threads get them in order
     */
    public VirtualSemaphore(int permits, boolean fair) {
        super(permits, fair);
    }

    @Override
    public void acquire() throws InterruptedException {
        acquire(1);
    }

    @Override
    public void acquire(int permits) throws InterruptedException {
        Strand me = Strand.current();
        if (me == null) {
            super.acquire(permits);
        } else {
            boolean unused = acquired(me, permits, Strand.NEVER, true);
        }
    }

    @Override
    public void acquireUninterruptibly() {
        acquireUninterruptibly(1);
    }

    @Override
    public void acquireUninterruptibly(int permits) {
        Strand me = Strand.current();
        if (me == null) {
            super.acquireUninterruptibly(permits);
            return;
        }
        try {
            boolean unused = acquired(me, permits, Strand.NEVER, false);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public boolean tryAcquire(long timeout, TimeUnit unit) throws InterruptedException {
        return tryAcquire(1, timeout, unit);
    }

    @Override
    public boolean tryAcquire(int permits, long timeout, TimeUnit unit) throws InterruptedException {
        Strand me = Strand.current();
        return me == null
                ? super.tryAcquire(permits, timeout, unit)
                : acquired(me, permits, me.time.deadline(Math.max(0, unit.toNanos(timeout))), true);
    }

    private boolean acquired(Strand me, int permits, long deadline, boolean interruptible) throws InterruptedException {
        if (interruptible && Thread.interrupted()) {
            throw new InterruptedException("Interrupted before it waited");
        }
        if (waiters.isEmpty() && super.tryAcquire(permits)) {
            return true;
        }
        if (me.time.nanos() >= deadline) {
            return false;
        }
        Waiter waiter = new Waiter(permits, me.wait(interruptible));
        waiters.add(waiter);
        boolean given = false;
        try {
            me.block(waiter.wait, deadline);
            given = waiter.served;
            return given;
        } finally {
            if (!waiters.remove(waiter) && waiter.served && !given) {
                release(permits); // it was interrupted at the same time
            } else {
                serve();
            }
        }
    }

    @Override
    public void release() {
        release(1);
    }

    @Override
    public void release(int permits) {
        super.release(permits);
        serve();
    }

    private void serve() {
        for (Waiter first = waiters.peek(); first != null && super.tryAcquire(first.permits); first = waiters.peek()) {
            var unused = waiters.poll();
            first.served = first.wait.end();
            if (!first.served) {
                super.release(first.permits); // its wait is over
            }
        }
    }
}
