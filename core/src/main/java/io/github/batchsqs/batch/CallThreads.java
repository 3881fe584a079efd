/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.batch;

import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A thread for each call, at once; one whose call is over is used again. For virtual threads.
 *
 * <p>Virtual threads are cheap to start, but the first wait of each copies its stack to the heap, and what clients keep in
 * thread locals (buffers, digests) is made anew: some tens of kilobytes per call. Threads that wait for their next call
 * save that. The price: up to {@value #MOST_IDLE} threads stay until the end.
 *
 * <p>Safe for use by any thread. A task should not throw: its thread would end.
 */
public final class CallThreads implements Executor {

    private static final int MOST_IDLE = 256;

    private final ThreadFactory factory;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Worker> idle = new ArrayDeque<>();
    private final Set<Worker> all = new HashSet<>();
    private volatile boolean closed;

    /** Makes it; no thread runs before the first task. */
    public CallThreads(ThreadFactory factory) {
        this.factory = factory;
    }

    /**
     * Runs the task on a thread that does nothing else meanwhile.
     *
     * @throws RejectedExecutionException if it is closed
     */
    @Override
    public void execute(Runnable task) {
        Worker worker;
        lock.lock();
        try {
            if (closed) {
                throw new RejectedExecutionException("Closed");
            }
            worker = idle.pollLast();
            if (worker == null) {
                worker = new Worker(task);
                all.add(worker);
            } else {
                worker.next = task;
            }
        } finally {
            lock.unlock();
        }
        worker.wake();
    }

    /** Takes no more tasks; tasks that run may end. */
    public void close() {
        close(false);
    }

    /** Takes no more tasks, and interrupts those that run. */
    public void closeNow() {
        close(true);
    }

    private void close(boolean interrupt) {
        lock.lock();
        try {
            closed = true;
            for (Worker worker : all) {
                if (interrupt) {
                    worker.thread.interrupt();
                } else {
                    LockSupport.unpark(worker.thread);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** One thread and its next task. */
    private final class Worker implements Runnable {

        final Thread thread;
        /** Written under the lock before the thread is woken, taken by the thread. */
        volatile @Nullable Runnable next;

        Worker(Runnable first) {
            this.next = first;
            this.thread = factory.newThread(this);
        }

        void wake() {
            if (thread.getState() == Thread.State.NEW) {
                thread.start();
            } else {
                LockSupport.unpark(thread);
            }
        }

        @Override
        public void run() {
            try {
                for (Runnable task = next; task != null; task = awaitNext()) {
                    next = null;
                    task.run();
                }
            } finally {
                lock.lock();
                try {
                    all.remove(this);
                } finally {
                    lock.unlock();
                }
            }
        }

        /** Waits idle; {@code null} if the thread is to end. */
        private @Nullable Runnable awaitNext() {
            boolean unused = Thread.interrupted(); // the interrupt was the task's
            lock.lock();
            try {
                if (closed || idle.size() >= MOST_IDLE) {
                    return null;
                }
                idle.addLast(this);
            } finally {
                lock.unlock();
            }
            while (next == null && !closed) {
                LockSupport.park(CallThreads.this);
                unused = Thread.interrupted();
            }
            return next;
        }
    }
}
