/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.handoff;

import io.github.batchsqs.TimeSource;
import io.github.batchsqs.receive.fetch.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Starts an invocation whenever a batch is due and fewer than {@code concurrency} run.
 *
 * <p>Whoever makes that true starts it: the poller that brings the message that fills a batch, the invocation that ends and
 * frees its place, the timer when a batch has lingered. Nobody waits for an invocation but {@link #awaitIdle}.
 *
 * <p>Safe for use by any thread; the owner runs {@link #runTimer()} on a thread of its own until it is interrupted.
 */
public final class Dispatcher {

    private final Handoff handoff;
    private final Executor executor;
    private final Invocation invocation;
    private final TimeSource time;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition timer = lock.newCondition();
    private final Condition idle = lock.newCondition();
    private final Map<Thread, Long> startedAt = new HashMap<>();
    private int concurrency;
    private int active;
    private boolean stopping;

    /** What is done with a batch. */
    public interface Invocation {

        /** Handles the batch and decides the settlement of each message; on a thread of the executor. Does not throw. */
        void run(List<Delivery> batch);

        /** The executor refused the batch. */
        void refused(List<Delivery> batch, RejectedExecutionException cause);
    }

    public Dispatcher(Handoff handoff, int concurrency, Executor executor, Invocation invocation, TimeSource time) {
        this.handoff = handoff;
        this.concurrency = concurrency;
        this.executor = executor;
        this.invocation = invocation;
        this.time = time;
    }

    /** Takes messages that were received. */
    public void offer(List<Delivery> deliveries) {
        List<List<Delivery>> due;
        lock.lock();
        try {
            deliveries.forEach(handoff::offer);
            due = takeDue();
        } finally {
            lock.unlock();
        }
        start(due);
    }

    /** Takes messages back that did not run, to the heads of their lanes; they run when the lanes are released. */
    public void takeBack(List<Delivery> deliveries) {
        lock.lock();
        try {
            handoff.takeBack(deliveries);
        } finally {
            lock.unlock();
        }
    }

    /** The lanes' batch is settled: their next batches may run. */
    public void release(Collection<String> lanes) {
        List<List<Delivery>> due;
        lock.lock();
        try {
            lanes.forEach(handoff::release);
            due = takeDue();
        } finally {
            lock.unlock();
        }
        start(due);
    }

    /** Removes and returns what waits of a lane. */
    public List<Delivery> withdraw(String lane) {
        lock.lock();
        try {
            return handoff.withdraw(lane);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Starts nothing any more, and returns what did not start.
     *
     * @param busyLanesToo whether what waits behind a running batch of its lane is returned too
     */
    public List<Delivery> drain(boolean busyLanesToo) {
        lock.lock();
        try {
            stopping = true;
            return handoff.drain(busyLanesToo);
        } finally {
            lock.unlock();
        }
    }

    /** Waits until no invocation runs, at most so long. Returns how many still run. */
    public int awaitIdle(long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (active > 0 && left > 0) {
                left = idle.awaitNanos(left);
            }
            return active;
        } finally {
            lock.unlock();
        }
    }

    /** Interrupts the invocations that run. */
    public void interruptRunning() {
        lock.lock();
        try {
            startedAt.keySet().forEach(Thread::interrupt);
        } finally {
            lock.unlock();
        }
    }

    /** Whether the calling thread is in an invocation. */
    public boolean calledFromInvocation() {
        lock.lock();
        try {
            return startedAt.containsKey(Thread.currentThread());
        } finally {
            lock.unlock();
        }
    }

    /** Changes how many invocations run at once; those beyond a lower number end by themselves. */
    public void setConcurrency(int newConcurrency) {
        List<List<Delivery>> due;
        lock.lock();
        try {
            concurrency = newConcurrency;
            due = takeDue();
        } finally {
            lock.unlock();
        }
        start(due);
    }

    /** How many messages wait. */
    public int waiting() {
        lock.lock();
        try {
            return handoff.size();
        } finally {
            lock.unlock();
        }
    }

    /** How many invocations run. */
    public int active() {
        lock.lock();
        try {
            return active;
        } finally {
            lock.unlock();
        }
    }

    /** For how long the invocation runs that started first; zero if none runs. */
    public Duration longestRunning() {
        lock.lock();
        try {
            long now = time.nanos();
            return startedAt.values().stream()
                    .map(start -> Duration.ofNanos(now - start))
                    .max(Comparator.naturalOrder())
                    .orElse(Duration.ZERO);
        } finally {
            lock.unlock();
        }
    }

    /** Starts batches whose linger passed, until the thread is interrupted. */
    public void runTimer() throws InterruptedException {
        while (true) {
            awaitDue();
            tick();
        }
    }

    /** One turn of the timer. */
    public void tick() {
        List<List<Delivery>> due;
        lock.lock();
        try {
            due = takeDue();
        } finally {
            lock.unlock();
        }
        start(due);
    }

    private void awaitDue() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            for (long wait = nanosUntilDue(); wait > 0; wait = nanosUntilDue()) {
                if (wait == Handoff.NEVER) {
                    timer.await();
                } else {
                    long ignored = timer.awaitNanos(wait);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private long nanosUntilDue() {
        return stopping || active >= concurrency ? Handoff.NEVER : handoff.nanosUntilDue(time.nanos());
    }

    private List<List<Delivery>> takeDue() {
        List<List<Delivery>> due = new ArrayList<>(1);
        while (!stopping && active < concurrency) {
            List<Delivery> batch = handoff.poll(time.nanos());
            if (batch == null) {
                break;
            }
            active++;
            due.add(batch);
        }
        if (active == 0) {
            idle.signalAll();
        }
        if (nanosUntilDue() != Handoff.NEVER) {
            timer.signal();
        }
        return due;
    }

    /** Starts the batches, and those that become due while the executor refuses some. */
    private void start(List<List<Delivery>> due) {
        List<List<Delivery>> next = due;
        while (!next.isEmpty()) {
            List<List<Delivery>> follow = new ArrayList<>(0);
            for (List<Delivery> batch : next) {
                try {
                    executor.execute(() -> run(batch));
                } catch (RejectedExecutionException e) {
                    invocation.refused(batch, e);
                    follow.addAll(freePlace(null));
                }
            }
            next = follow;
        }
    }

    private void run(List<Delivery> batch) {
        Thread thread = Thread.currentThread();
        lock.lock();
        try {
            startedAt.put(thread, time.nanos());
        } finally {
            lock.unlock();
        }
        try {
            invocation.run(batch);
        } finally {
            ended(thread);
        }
    }

    private void ended(Thread thread) {
        start(freePlace(thread));
    }

    private List<List<Delivery>> freePlace(@Nullable Thread thread) {
        lock.lock();
        try {
            active--;
            if (thread != null) {
                startedAt.remove(thread);
            }
            return takeDue();
        } finally {
            lock.unlock();
        }
    }
}
