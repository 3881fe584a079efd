/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.handoff;

import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.Loss;
import io.github.batchsqs.internal.support.Alarm;
import io.github.batchsqs.internal.support.EngineLock;
import io.github.batchsqs.internal.support.NextLook;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Starts an invocation whenever a batch is due and fewer than {@code concurrency} run.
 *
 * <p>Whoever makes that true starts it: the poller that brings the message that fills a batch, the invocation that ends and
 * frees its slot, the timer when a batch has lingered. Nobody waits for an invocation but {@link #awaitIdle}.
 *
 * <p>The {@link Handoff} decides which messages form the next batch, the {@link Slots} decide whether one may start, and the
 * {@link Starter} hands it to the executor. This class owns their lock and the timer.
 *
 * <p>Safe for use by any thread; the owner gives it an alarm ({@link #timedBy}).
 */
public final class Dispatcher {

    /** Hands batches to the executor on the calling thread: for executors that hold up no thread. */
    public static final Executor HERE = Runnable::run;

    private final Handoff handoff;
    private final Starter starter;
    private final TimeSource time;
    private final IntConsumer delayedChanged;

    private final ReentrantLock lock = new EngineLock();
    private final NextLook look = new NextLook();
    private final Condition idle = lock.newCondition();
    private final Slots slots;
    private boolean drained;
    private int reportedDelayed;

    public Dispatcher(Handoff handoff, int concurrency, Executor executor, Invocation invocation, TimeSource time) {
        this(handoff, concurrency, executor, HERE, invocation, time, delayed -> {});
    }

    /**
     * Creates the dispatcher.
     *
     * @param starters hands batches to the executor where the caller's thread is not there for that: an executor may run a
     *     batch on the thread that hands it over, or hold that thread up; {@link #HERE} if the executor does neither
     * @param delayedChanged is notified of the number of messages that wait in groups that must not go on before a time, whenever
     *     it changes; called with a lock held, so it must be quick
     */
    public Dispatcher(
            Handoff handoff,
            int concurrency,
            Executor executor,
            Executor starters,
            Invocation invocation,
            TimeSource time,
            IntConsumer delayedChanged) {
        this.handoff = handoff;
        this.slots = new Slots(concurrency);
        this.starter = new Starter(this, executor, starters, invocation);
        this.time = time;
        this.delayedChanged = delayedChanged;
    }

    /** Adds messages that were received, and starts the batches that are due. */
    public void offer(List<Delivery> deliveries) {
        starter.start(dueAfter(() -> deliveries.forEach(handoff::offer)));
    }

    /** Blocks the groups of these messages until the messages are untracked. */
    public void block(Collection<Delivery> deliveries) {
        withLock(() -> deliveries.forEach(handoff::block));
    }

    /** Messages are untracked: their groups may go on. */
    public void settled(Collection<Delivery> deliveries) {
        starter.startElsewhere(dueAfter(() -> deliveries.forEach(handoff::settled)));
    }

    /**
     * Requeues messages of one group at its head.
     *
     * @return {@code false} if they must not run here anymore, because a message ahead of them was lost or because
     *     everything was drained
     */
    public boolean requeue(Requeued requeued) {
        return requeue(requeued, () -> true);
    }

    /**
     * Requeues messages of one group at its head if there is room for them.
     *
     * @param room whether there is room for them; called with the lock held
     * @return {@code false} also if there is no room
     */
    public boolean requeue(Requeued requeued, BooleanSupplier room) {
        boolean waits;
        List<Task> due;
        lock.lock();
        try {
            waits = !drained && room.getAsBoolean() && handoff.requeue(requeued);
            due = takeDue();
        } finally {
            lock.unlock();
        }
        starter.startElsewhere(due);
        return waits;
    }

    /** Removes and returns the messages that wait in a group. */
    public List<Delivery> removeWaiting(String group) {
        return removed(() -> handoff.removeWaiting(group));
    }

    /** Messages of the group, which ran, are no longer ours: removes and returns the messages that wait in the group. */
    public List<Delivery> lose(String group, Loss loss) {
        return removed(() -> handoff.lose(group, loss));
    }

    private List<Delivery> removed(Supplier<List<Delivery>> removal) {
        return locked(() -> {
            List<Delivery> removed = removal.get();
            reportDelayed();
            return removed;
        });
    }

    /** Returns which messages of the group were lost since something of it runs, or {@code null} if none was. */
    public @Nullable Loss loss(String group) {
        return locked(() -> handoff.loss(group));
    }

    /** Returns how many messages wait in groups that must not go on before a time. */
    public int delayed() {
        return locked(handoff::delayed);
    }

    /** Returns how many bytes these messages have. */
    public long delayedBytes() {
        return locked(handoff::delayedBytes);
    }

    /**
     * Starts nothing any more, and returns the messages that did not start, those of batches that the executor has not begun
     * included.
     *
     * @param busyGroupsToo whether messages that wait behind a running batch of their group are returned too
     */
    public List<Delivery> drain(boolean busyGroupsToo) {
        lock.lock();
        try {
            slots.stop();
            drained |= busyGroupsToo;
            List<Delivery> waiting = cancelQueued();
            waiting.addAll(handoff.drain(busyGroupsToo));
            reportDelayed();
            return waiting;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until no invocation runs, at most so long. Returns how many still run. */
    public int awaitIdle(long nanos) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = nanos;
            while (slots.active() > 0 && left > 0) {
                left = idle.awaitNanos(left);
            }
            return slots.active();
        } finally {
            lock.unlock();
        }
    }

    /** Interrupts the invocations that run. */
    public void interruptRunning() {
        withLock(slots::interruptRunning);
    }

    /** Returns whether the calling thread is in an invocation. */
    public boolean calledFromInvocation() {
        return invokesOn(Thread.currentThread());
    }

    /** Returns whether the thread is in an invocation. */
    public boolean invokesOn(Thread thread) {
        return locked(() -> slots.runsOn(thread));
    }

    /**
     * Changes how many invocations run at once; those beyond a lower number end by themselves. The timer starts what may run
     * now, because an executor may run it on the thread that hands it over, and the caller's is not there for that.
     */
    public void setConcurrency(int newConcurrency) {
        withLock(() -> {
            slots.setConcurrency(newConcurrency);
            look.in(0, time.nanos());
        });
    }

    /** Returns how many messages wait. */
    public int waiting() {
        return locked(handoff::size);
    }

    /** Returns how many invocations run. */
    public int active() {
        return locked(slots::active);
    }

    /** Returns for how long the invocation runs that started first; zero if none runs. */
    public Duration longestRunning() {
        return locked(() -> slots.longestRunning(time.nanos()));
    }

    /** Returns the same, or for how long the executor has not begun a batch, if that is longer. */
    public Duration longestUnderWay() {
        return locked(() -> slots.longestUnderWay(time.nanos()));
    }

    private void withLock(Runnable change) {
        lock.lock();
        try {
            change.run();
        } finally {
            lock.unlock();
        }
    }

    private <T extends @Nullable Object> T locked(Supplier<T> read) {
        lock.lock();
        try {
            return read.get();
        } finally {
            lock.unlock();
        }
    }

    /** Has this alarm call {@link #tick()}. */
    public void timedBy(Alarm alarm) {
        withLock(() -> look.by(alarm, time.nanos()));
    }

    /** Starts batches whose linger passed, or that are due otherwise; the timer calls this. */
    public void tick() {
        starter.startElsewhere(dueAfter(look::taken));
    }

    private List<Task> dueAfter(Runnable change) {
        lock.lock();
        try {
            change.run();
            return takeDue();
        } finally {
            lock.unlock();
        }
    }

    private long nanosUntilDue() {
        return slots.hasFree() ? handoff.nanosUntilDue(time.nanos()) : Handoff.NEVER;
    }

    private void reportDelayed() {
        int now = handoff.delayed();
        if (now != reportedDelayed) {
            reportedDelayed = now;
            delayedChanged.accept(now);
        }
    }

    /** Returns the batches that the caller must start; they have their slots from now on. */
    private List<Task> takeDue() {
        List<Task> due = new ArrayList<>(1);
        while (slots.hasFree()) {
            long now = time.nanos();
            List<Delivery> batch = handoff.poll(now);
            if (batch == null) {
                break;
            }
            Task task = new Task(batch, starter, now);
            slots.occupy(task);
            due.add(task);
        }
        reportDelayed();
        signalIfIdle();
        look.in(nanosUntilDue(), time.nanos());
        return due.isEmpty() ? due : slots.leftToOuterLoop(due);
    }

    private void signalIfIdle() {
        if (slots.active() == 0) {
            idle.signalAll();
        }
    }

    /**
     * Returns the messages of batches that the executor has not begun, and those that wait behind them in their
     * groups.
     */
    private List<Delivery> cancelQueued() {
        List<Delivery> cancelled = new ArrayList<>();
        for (Task task : slots.cancelQueued()) {
            cancelled.addAll(task.batch());
            task.groups().forEach(group -> cancelled.addAll(handoff.removeWaiting(group)));
        }
        signalIfIdle();
        return cancelled;
    }

    // ---- for the starter

    /** Returns whether the batch may run on the calling thread: it was neither cancelled nor run before. */
    boolean begin(Task task) {
        return locked(() -> slots.begin(task, time.nanos()));
    }

    /** The invocation on the calling thread is over. Returns the batches that may start now. */
    List<Task> end(Task task) {
        lock.lock();
        try {
            slots.free();
            return takeDue();
        } finally {
            slots.leaveThread(task);
            lock.unlock();
        }
    }

    /** Returns whether the batch will not run, because the executor threw before it began. */
    boolean cancel(Task task) {
        return locked(() -> slots.cancel(task));
    }

    /** Frees the slot of a cancelled batch. Returns the batches that may start now. */
    List<Task> free() {
        return dueAfter(slots::free);
    }
}
