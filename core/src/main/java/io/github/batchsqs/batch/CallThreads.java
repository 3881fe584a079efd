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
 * Runs each call at once on a thread of its own, and reuses the threads. For virtual threads.
 *
 * <p>Virtual threads are cheap to start, but the first wait of each copies its stack to the heap, and the client creates its
 * thread locals (buffers, digests) again: some tens of kilobytes per call. Reused threads save that. In return, up to {@value #MAX_IDLE} idle threads remain until {@link #close}.
 *
 * <p>Safe for use by any thread. A task should not throw: its thread would end.
 */
public final class CallThreads implements Executor {

    private static final int MAX_IDLE = 256;

    private final ThreadFactory factory;
    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<Worker> idle = new ArrayDeque<>();
    private final Set<Worker> all = new HashSet<>();
    private volatile boolean closed;

    /** Creates the executor; no thread runs before the first task. */
    public CallThreads(ThreadFactory factory) {
        this.factory = factory;
    }

    /**
     * Runs the task on a thread that runs nothing else meanwhile.
     *
     * @throws RejectedExecutionException if the executor is closed
     * @throws Error if no thread can be started
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
        try {
            worker.wake();
        } catch (Throwable e) { // no thread could be started
            remove(worker);
            throw e;
        }
    }

    private void remove(Worker worker) {
        lock.lock();
        try {
            all.remove(worker);
        } finally {
            lock.unlock();
        }
    }

    /** Refuses further tasks; running tasks may end. */
    public void close() {
        close(false);
    }

    /** Refuses further tasks, and interrupts running ones. */
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
                remove(this);
            }
        }

        /** Waits for the next task; {@code null} if the thread should end. */
        private @Nullable Runnable awaitNext() {
            boolean unused = Thread.interrupted(); // the interrupt was the task's
            lock.lock();
            try {
                if (closed || idle.size() >= MAX_IDLE) {
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
