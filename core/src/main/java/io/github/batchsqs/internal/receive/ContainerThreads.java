/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive;

import io.github.batchsqs.internal.support.Alarm;
import io.github.batchsqs.internal.support.Supervised;
import io.github.batchsqs.internal.support.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The one place where the threads of a container are made and ended. Each is named {@code batchsqs-<listener>-<role>-<n>}; those of
 * {@link ClientThreads} are shared.
 *
 * <p>Handlers run on virtual threads, which nothing preempts: as many computing handlers as there are processors keep all other virtual
 * threads from running. So whatever keeps a lease or ends a stop runs on platform threads: pollers, timers, calls, and the stop itself.
 */
class ContainerThreads {

    /**
     * The pollers of a listener that have platform threads. Handlers that compute need no more; more receive only under load, where virtual
     * threads cost half as much.
     */
    private static final int PLATFORM_POLLERS = 4;

    private static final Duration IDLE_POOL_THREAD = Duration.ofSeconds(30);

    private final String listener;
    private final ClientThreads shared;
    private final TimeSource time;
    /** Gets what the engine throws and nobody foresees, which ends the run. Any thread may call this, with locks held. */
    final Consumer<Throwable> failed;

    private volatile boolean closed;
    private @Nullable ThreadPoolExecutor pool;

    /**
     * Makes no thread yet.
     *
     * @param shared those of the listener's client
     * @param failed gets what the engine throws
     */
    ContainerThreads(String listener, ClientThreads shared, TimeSource time, Consumer<Throwable> failed) {
        this.listener = listener;
        this.shared = shared;
        this.time = time;
        this.failed = failed;
    }

    /** Runs each task at once, beside all others. Handlers run here, so a task may wait long for a carrier. */
    Executor virtual(String role) {
        String name = name(role);
        AtomicLong number = new AtomicLong();
        return task -> Thread.ofVirtual().name(name + number.incrementAndGet()).start(task);
    }

    /** Runs each poller at once; it waits for no carrier, unless there are many. */
    Executor pollers() {
        Executor virtual = virtual("virtual-poller");
        Semaphore own = new Semaphore(PLATFORM_POLLERS);
        return task -> {
            Runnable poller = () -> Supervised.run(task, failed);
            if (!own.tryAcquire()) {
                virtual.execute(poller);
                return;
            }
            shared.pollers.execute(() -> {
                poller.run();
                own.release();
            });
        };
    }

    /** Runs calls that delete messages and send dead letters, each at once; they wait for no carrier. */
    Executor calls() {
        return shared.calls;
    }

    /** Runs calls that change the visibility of messages, heartbeats among them; they wait for no carrier, nor for other calls. */
    Executor visibilityCalls() {
        return shared.visibilityCalls;
    }

    /** Runs up to {@code size} tasks at once; see {@link #resizePool}. */
    Executor platform(String role, int size) {
        pool = new ThreadPoolExecutor(
                size,
                Integer.MAX_VALUE, // has no effect with this queue
                IDLE_POOL_THREAD.toMillis(),
                TimeUnit.MILLISECONDS,
                new LinkedBlockingQueue<>(),
                Thread.ofPlatform().daemon().name(name(role), 1).factory());
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** Changes the size of the pool that {@link #platform} made, if it was asked for one. */
    void resizePool(int size) {
        if (pool != null) {
            pool.setCorePoolSize(size);
        }
    }

    /** Runs the start of a container beside those of others. */
    static void start(String listener, Runnable start) {
        Thread unused =
                Thread.ofVirtual().name("batchsqs-" + listener + "-start-1").start(start);
    }

    /** Runs a stop beside all others; it waits for no carrier. The task does not throw. */
    void stop(Runnable task) {
        shared.stops.execute(task);
    }

    /** Makes the alarm of a look, which is taken after {@link #close} too, as long as it is asked for. */
    Alarm alarm(Runnable look) {
        return shared.timers.alarm(time, look, failed);
    }

    /** Takes a look again and again, with the interval between two of them, until {@link #close}. */
    void every(Duration interval, Runnable look) {
        Alarm[] self = new Alarm[1];
        self[0] = alarm(() -> {
            if (!closed) {
                self[0].ringAt(time.nanos() + interval.toNanos()); // first: it may throw
                look.run();
            }
        });
        self[0].ringAt(time.nanos() + interval.toNanos());
    }

    /** Ends what is done {@linkplain #every again and again}. Threads of tasks end with their tasks. */
    void close() {
        closed = true;
        if (pool != null) {
            List<Runnable> ignored = pool.shutdownNow(); // their messages went back
        }
    }

    private String name(String role) {
        return "batchsqs-" + listener + "-" + role + "-";
    }
}
