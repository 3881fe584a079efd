/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.batch;

import io.github.batchsqs.internal.support.DaemonThreads;
import io.github.batchsqs.internal.support.EngineLock;
import io.github.batchsqs.internal.support.Locked;
import io.github.batchsqs.internal.support.Supervised;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Runs each call at once on a thread of its own, and reuses the threads.
 *
 * <p>The first so many calls at a time have platform threads, as far as they can be started, which need no carrier, so that calls go on
 * while handlers compute on virtual threads. The others have virtual threads, of which there may be any number; a task whose thread has got no carrier yet is taken by
 * the first platform thread that is free.
 *
 * <p>Virtual threads are cheap to start, but the first wait of each copies its stack to the heap, and the client creates its
 * thread locals (buffers, digests) again: some tens of kilobytes per call. Reused threads save that. In return, up to {@value #MAX_IDLE} idle threads
 * remain, each for {@link #IDLE}. Of those the one that was used least lately has a timer, and the next one when it ends: a timer for
 * each wait of a virtual thread would cost more than the wait.
 *
 * <p>Safe for use by any thread. A task should not throw: its thread would end.
 */
public final class CallThreads implements Executor {

    private static final int MAX_IDLE = 256;
    private static final Duration IDLE = Duration.ofSeconds(30);

    private final long idle;
    private final Kind platform;
    private final Kind virtual;
    private final ReentrantLock lock = new EngineLock();
    /** The tasks of virtual threads, and before long those alone that have not begun. */
    private final ArrayDeque<Once> notBegun = new ArrayDeque<>();

    /** Threads of one factory. */
    private static final class Kind {
        final ThreadFactory factory;
        final int max;
        final ArrayDeque<Worker> idle = new ArrayDeque<>();
        int workers;

        Kind(ThreadFactory factory, int max) {
            this.factory = factory;
            this.max = max;
        }

        /** Returns whether a task can have such a thread. */
        boolean hasRoom(int most) {
            return !idle.isEmpty() || workers < most;
        }
    }

    /** A task that two threads may run, of which the first does. */
    private record Once(Runnable task, AtomicBoolean begun) implements Runnable {
        @Override
        public void run() {
            if (begun.compareAndSet(false, true)) {
                task.run();
            }
        }
    }

    /** Creates the executor; no thread runs before the first task. */
    public CallThreads(ThreadFactory factory) {
        this(factory, 0, factory);
    }

    /**
     * Creates the executor; no thread runs before the first task.
     *
     * @param platform makes the threads of the first tasks at a time
     * @param max how many those are
     * @param virtual makes the threads of the others
     */
    public CallThreads(ThreadFactory platform, int max, ThreadFactory virtual) {
        this(platform, max, virtual, IDLE);
    }

    CallThreads(ThreadFactory platform, int max, ThreadFactory virtual, Duration idle) {
        this.idle = idle.toNanos();
        this.platform = new Kind(platform, max);
        this.virtual = new Kind(virtual, Integer.MAX_VALUE);
    }

    /** Runs the task on a thread that runs nothing else meanwhile. */
    @Override
    public void execute(Runnable task) {
        try {
            execute(task, platform.max);
        } catch (OutOfMemoryError e) {
            DaemonThreads.insist(() -> execute(task, 0));
        }
    }

    private void execute(Runnable task, int maxPlatform) {
        Worker worker;
        lock.lock();
        try {
            Kind kind = platform.hasRoom(maxPlatform) ? platform : virtual;
            Runnable next = kind == virtual && platform.max > 0 ? shared(task) : task;
            worker = kind.idle.pollLast();
            if (worker == null) {
                worker = new Worker(kind, next);
                kind.workers++;
            } else {
                worker.next = next;
            }
        } finally {
            lock.unlock();
        }
        worker.wake();
    }

    private Once shared(Runnable task) {
        for (Once first = notBegun.peek(); first != null && first.begun.get(); first = notBegun.peek()) {
            notBegun.remove();
        }
        Once once = new Once(task, new AtomicBoolean());
        notBegun.add(once);
        return once;
    }

    private void remove(Worker worker) {
        Locked.run(lock, () -> {
            worker.kind.workers--;
            boolean unused = notBegun.remove(worker.next); // that of a thread that could not be started
        });
    }

    /** One thread and its next task. */
    private final class Worker implements Runnable {

        final Kind kind;
        final Thread thread;

        /** Written under the lock before the thread is woken, taken by the thread. */
        volatile @Nullable Runnable next;

        /** It has been idle for longer than the others of its kind; written under the lock. */
        volatile boolean longest;

        Worker(Kind kind, Runnable first) {
            this.kind = kind;
            this.next = first;
            this.thread = kind.factory.newThread(this);
        }

        void wake() {
            if (thread.getState() == Thread.State.NEW) {
                Supervised.start(thread::start, () -> remove(this));
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
                if (platform.idle.size() + virtual.idle.size() >= MAX_IDLE) {
                    return null;
                }
                if (kind == platform && !notBegun.isEmpty()) {
                    return notBegun.remove();
                }
                longest = kind.idle.isEmpty();
                kind.idle.addLast(this);
            } finally {
                lock.unlock();
            }
            long since = System.nanoTime();
            while (next == null) {
                long left = idle - (System.nanoTime() - since);
                if (!longest) {
                    LockSupport.park(CallThreads.this);
                } else if (left > 0) {
                    LockSupport.parkNanos(CallThreads.this, left);
                } else {
                    leaveIdle();
                    return next; // given under the lock, perhaps just before it left
                }
                unused = Thread.interrupted();
            }
            return next;
        }

        private void leaveIdle() {
            lock.lock();
            try {
                boolean unused = kind.idle.remove(this);
                Worker first = kind.idle.peekFirst();
                if (first != null) {
                    first.longest = true;
                    LockSupport.unpark(first.thread);
                }
            } finally {
                lock.unlock();
            }
        }
    }
}
