/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.batch.CallThreads;
import io.github.batchsqs.events.ListenerEvents;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The one place where the threads of a container are made and ended. Each is named
 * {@code batchsqs-<listener>-<role>-<n>}.
 */
final class ContainerThreads implements EngineThreads {

    private static final Duration IDLE_POOL_THREAD = Duration.ofSeconds(30);

    private final String listener;
    private final ListenerEvents events;
    private final TimeSource time;
    private final Set<Thread> loops = ConcurrentHashMap.newKeySet();
    private final Set<SurvivingLoop> ended = ConcurrentHashMap.newKeySet();
    private final CountDownLatch closed = new CountDownLatch(1);
    private @Nullable ThreadPoolExecutor pool;
    private @Nullable CallThreads calls;

    ContainerThreads(String listener, ListenerEvents events, TimeSource time) {
        this.listener = listener;
        this.events = events;
        this.time = time;
    }

    @Override
    public Executor virtual(String role) {
        ThreadFactory factory = Thread.ofVirtual().name(name(role), 1).factory();
        return task -> factory.newThread(task).start();
    }

    @Override
    public Executor calls(String role) {
        calls = new CallThreads(Thread.ofVirtual().name(name(role), 1).factory());
        return calls;
    }

    @Override
    public Executor platform(String role, int size) {
        ThreadFactory factory = Thread.ofPlatform().daemon().name(name(role), 1).factory();
        pool = new ThreadPoolExecutor(
                size, size, IDLE_POOL_THREAD.toMillis(), TimeUnit.MILLISECONDS, new LinkedBlockingQueue<>(), factory);
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    @Override
    public void resizePool(int size) {
        if (pool == null) {
            return;
        }
        if (size > pool.getMaximumPoolSize()) {
            pool.setMaximumPoolSize(size);
            pool.setCorePoolSize(size);
        } else {
            pool.setCorePoolSize(size);
            pool.setMaximumPoolSize(size);
        }
    }

    @Override
    public void loop(String role, Loop loop) {
        Thread thread = Thread.ofVirtual()
                .name(name(role) + "1")
                .unstarted(new SurvivingLoop(listener, role, loop, events, time, closed, ended));
        loops.add(thread);
        thread.start();
    }

    /** Runs a task on a thread of its own, also after {@link #close}; the task does not throw. */
    void once(String role, Runnable task) {
        Thread.ofVirtual().name(name(role) + "1").start(task);
    }

    @Override
    public List<String> endedLoops() {
        return ended.stream().map(SurvivingLoop::role).distinct().sorted().toList();
    }

    @Override
    public void every(String role, Duration interval, Runnable task) {
        loop(role, () -> {
            while (!closed.await(interval.toNanos(), TimeUnit.NANOSECONDS)) {
                task.run();
            }
        });
    }

    @Override
    public void close() {
        closed.countDown();
        loops.forEach(Thread::interrupt);
        if (pool != null) {
            List<Runnable> ignored = pool.shutdownNow(); // their messages went back
        }
        if (calls != null) {
            calls.close();
        }
    }

    private String name(String role) {
        return "batchsqs-" + listener + "-" + role + "-";
    }
}
