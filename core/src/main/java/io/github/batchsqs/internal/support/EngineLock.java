/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import java.util.ArrayDeque;
import java.util.Date;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock that virtual threads share with platform threads of the engine. A platform thread takes it as soon as it is free, and never
 * queues behind a virtual thread: that one may have to wait for a carrier, which a computing handler holds for as long as it likes.
 *
 * <p>Virtual threads use it as any {@link ReentrantLock}. A critical section must be short and must not wait, because a
 * platform thread looks again and again meanwhile; not for a second one of these locks either, where a virtual thread
 * would hold the first one until it gets a carrier.
 */
public final class EngineLock extends ReentrantLock {

    private static final long serialVersionUID = 1L;

    private static final int SPINS = 50;
    private static final long FIRST_LOOK_NANOS = 20_000;
    private static final long LONGEST_LOOK_NANOS = 1_000_000;

    /** Creates a free lock. */
    public EngineLock() {
        super(false);
    }

    @Override
    @SuppressWarnings("LockNotBeforeTry") // the caller's try follows
    public void lock() {
        if (Thread.currentThread().isVirtual()) {
            super.lock();
        } else {
            takeWhenFree();
        }
    }

    @Override
    @SuppressWarnings("LockNotBeforeTry") // the caller's try follows
    public void lockInterruptibly() throws InterruptedException {
        if (Thread.currentThread().isVirtual()) {
            super.lockInterruptibly();
            return;
        }
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        lock();
    }

    private void takeWhenFree() {
        boolean interrupted = false;
        long pause = FIRST_LOOK_NANOS;
        for (int looks = 0; !tryLock(); looks++) {
            if (looks < SPINS) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(this, pause);
                pause = Math.min(2 * pause, LONGEST_LOOK_NANOS);
                interrupted |= Thread.interrupted();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public Condition newCondition() {
        return new Waits();
    }

    /** A thread that waits on a condition. */
    private static final class Waiter {
        final Thread thread = Thread.currentThread();
        volatile boolean signalled;
    }

    /** A condition on which threads wait beside the queue of the lock, for the same reason. */
    @SuppressWarnings("WaitNotInLoop") // the loops are the callers'
    private final class Waits implements Condition {

        private final ArrayDeque<Waiter> waiters = new ArrayDeque<>(2);

        @Override
        public void await() throws InterruptedException {
            long ignored = awaitNanos(Long.MAX_VALUE);
        }

        @Override
        public long awaitNanos(long nanos) throws InterruptedException {
            long since = System.nanoTime();
            long left = nanos;
            boolean interrupted = Thread.interrupted();
            Waiter me = new Waiter();
            waiters.add(me);
            unlock();
            try {
                while (!interrupted && !me.signalled && left > 0) {
                    park(nanos == Long.MAX_VALUE, left);
                    interrupted = Thread.interrupted();
                    left = nanos - (System.nanoTime() - since);
                }
            } finally {
                lock();
                waiters.remove(me);
            }
            if (interrupted) {
                if (me.signalled) {
                    signal(); // it was meant for whoever goes on
                }
                throw new InterruptedException();
            }
            return left;
        }

        /** Without a limit, a virtual thread needs no timer. */
        private void park(boolean unlimited, long nanos) {
            if (unlimited) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, nanos);
            }
        }

        @Override
        public void signal() {
            Waiter first = waiters.poll();
            if (first != null) {
                wake(first);
            }
        }

        @Override
        public void signalAll() {
            waiters.forEach(Waits::wake);
            waiters.clear();
        }

        private static void wake(Waiter waiter) {
            waiter.signalled = true;
            LockSupport.unpark(waiter.thread);
        }

        @Override
        public boolean await(long time, TimeUnit unit) throws InterruptedException {
            return awaitNanos(unit.toNanos(time)) > 0;
        }

        @Override
        public void awaitUninterruptibly() {
            throw new UnsupportedOperationException("The engine's waits can be interrupted");
        }

        @Override
        public boolean awaitUntil(Date deadline) {
            throw new UnsupportedOperationException("The engine waits for durations");
        }
    }
}
