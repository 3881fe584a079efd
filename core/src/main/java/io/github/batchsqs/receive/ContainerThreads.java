/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.batch.CallThreads;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one place where the threads of a container are made and ended. Each is named
 * {@code batchsqs-<listener>-<role>-<n>}.
 */
final class ContainerThreads implements EngineThreads {

    private static final Logger log = LoggerFactory.getLogger(ContainerThreads.class);
    private static final Duration IDLE_POOL_THREAD = Duration.ofSeconds(30);

    private final String listener;
    private final Set<Thread> loops = ConcurrentHashMap.newKeySet();
    private final CountDownLatch closed = new CountDownLatch(1);
    private @Nullable ThreadPoolExecutor pool;
    private @Nullable CallThreads calls;

    ContainerThreads(String listener) {
        this.listener = listener;
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
        AtomicInteger restarts = new AtomicInteger();
        Thread thread = Thread.ofVirtual().name(name(role) + "1").unstarted(() -> {
            while (closed.getCount() > 0) {
                try {
                    loop.run();
                    return;
                } catch (InterruptedException e) {
                    return;
                } catch (RuntimeException e) {
                    log.error(
                            "Listener {}: {} failed and goes on (failure {})",
                            listener,
                            role,
                            restarts.incrementAndGet(),
                            e);
                }
            }
        });
        loops.add(thread);
        thread.start();
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
    public void await(CompletableFuture<?> promise) throws InterruptedException, ExecutionException {
        promise.get();
    }

    @Override
    public void close() {
        closed.countDown();
        loops.forEach(Thread::interrupt);
        if (pool != null) {
            pool.shutdown();
        }
        if (calls != null) {
            calls.close();
        }
    }

    private String name(String role) {
        return "batchsqs-" + listener + "-" + role + "-";
    }
}
