/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.model.time;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A pool whose tasks run on strands if a strand made it, and as usual otherwise. Its own queue has no limit then. */
public class VirtualPool extends ThreadPoolExecutor {

    private final boolean virtual = Strand.current() != null;
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
    private final Set<Thread> workers = new LinkedHashSet<>();
    private boolean closed;

    /**
     * Creates a pool.
     *
     * @param core the number of its threads
     * @param max the maximum number, which it reaches only outside of virtual time
     * @param keepAlive how long an idle thread waits
     * @param unit the unit of that time
     * @param queue where tasks wait outside of virtual time
     * @param threads makes the threads
     */
    public VirtualPool(
            int core, int max, long keepAlive, TimeUnit unit, BlockingQueue<Runnable> queue, ThreadFactory threads) {
        super(core, max, keepAlive, unit, queue, threads);
    }

    @Override
    public void execute(Runnable task) {
        if (!virtual) {
            super.execute(task);
            return;
        }
        if (closed) {
            throw new RejectedExecutionException("The pool is closed");
        }
        tasks.add(task);
        if (workers.size() < getCorePoolSize()) {
            Thread worker = getThreadFactory().newThread(this::work);
            workers.add(worker);
            Redirects.OfThread.start(worker);
        }
    }

    private void work() {
        try {
            for (Runnable task = next(); task != null; task = next()) {
                task.run();
            }
        } finally {
            workers.remove(Thread.currentThread());
        }
    }

    private @Nullable Runnable next() {
        return workers.size() > getCorePoolSize() ? null : tasks.poll();
    }

    @Override
    public void shutdown() {
        super.shutdown();
        closed = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
        if (!virtual) {
            return super.shutdownNow();
        }
        closed = true;
        List<Runnable> waiting = new ArrayList<>(tasks);
        tasks.clear();
        workers.forEach(Redirects.OfThread::interrupt);
        return waiting;
    }

    @Override
    public boolean isShutdown() {
        return virtual ? closed : super.isShutdown();
    }

    @Override
    public int getActiveCount() {
        return virtual ? workers.size() : super.getActiveCount();
    }
}
