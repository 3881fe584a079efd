/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.handoff;

import io.github.batchsqs.events.ListenerEvent;
import io.github.batchsqs.internal.receive.delivery.Delivery;
import io.github.batchsqs.internal.receive.delivery.Groups;
import io.github.batchsqs.internal.receive.delivery.InFlightLimit;
import io.github.batchsqs.internal.receive.delivery.Invocation;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.support.Alarm;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.EngineLock;
import io.github.batchsqs.internal.support.EngineStage;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.Locked;
import io.github.batchsqs.internal.support.OncePerMinute;
import io.github.batchsqs.internal.support.SafeLog;
import io.github.batchsqs.internal.support.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Starts an invocation whenever a batch is due and fewer than {@code concurrency} have a slot.
 *
 * <p>Whoever makes that true starts it: the poller that brings the message that fills a batch, the invocation that ends and
 * frees its slot, the timer when a batch has lingered. Nobody waits for an invocation but {@link #awaitIdle}. The {@link Handoff} decides
 * which messages form the next batch.
 *
 * <p>An executor that refuses a batch gets it again after a pause, and until it begins that one it is asked for no other, and nothing is
 * received: the messages keep their leases meanwhile, and no receive is counted.
 *
 * <p>Safe for use by any thread; the owner gives it an alarm ({@link #timedBy}).
 */
public final class Dispatcher implements Groups {

    private static final SafeLog log = new SafeLog(LoggerFactory.getLogger(Dispatcher.class));

    /** Hands batches to the executor on the calling thread: for executors that hold up no thread, and run nothing on it. */
    public static final Executor HERE = Runnable::run;

    private static final long SHORTEST_PAUSE = Duration.ofMillis(100).toNanos();
    private static final long LONGEST_PAUSE = Duration.ofSeconds(1).toNanos();

    private final ListenerQueue source;
    private final Handoff handoff;
    private final InFlightLimit limit;
    private final Executor executor;
    private final Executor handover;
    private final Invocation invocation;
    private final TimeSource time;
    private final Runnable watch;
    private final OncePerMinute noRoom;
    private final OncePerMinute refusals;

    private final ReentrantLock lock = new EngineLock();
    private Alarm alarm = Alarm.NONE;
    /** When to ring once the lock is free: that may take a lock of its own. */
    private long ringAt = Alarm.NEVER;

    private final Condition idle = lock.newCondition();
    /** The batches that have a slot. */
    private final Set<Batch> slots = new LinkedHashSet<>();

    private int concurrency;
    private boolean stopping;
    private boolean drained;
    /** How long the executor is left alone after a refusal; receives wait for as long again. */
    private long pause;

    // Written with the lock only.
    private volatile int delayed;
    private volatile long refusesUntil;

    /**
     * Creates the dispatcher.
     *
     * @param handover hands batches to the executor where the caller's thread is not there for that: an executor may run a
     *     batch on the thread that hands it over, or hold that thread up; {@link #HERE} if the executor does neither
     * @param watch runs without the lock when {@link #delayed} or {@link #refusesUntil} has changed
     */
    public Dispatcher(
            ListenerQueue source,
            Handoff handoff,
            InFlightLimit limit,
            Executor executor,
            Executor handover,
            Invocation invocation,
            Runnable watch) {
        this.source = source;
        this.handoff = handoff;
        this.limit = limit;
        this.concurrency = source.options().concurrency();
        this.executor = executor;
        this.handover = handover;
        this.invocation = invocation;
        this.time = source.time();
        this.watch = watch;
        this.noRoom = new OncePerMinute(time);
        this.refusals = new OncePerMinute(time);
        this.refusesUntil = time.nanos();
    }

    /** Adds messages that were received, and starts the batches that are due. */
    public void offer(List<Delivery> deliveries) {
        changed(() -> deliveries.forEach(handoff::offer));
    }

    /** Blocks the groups of these messages until the messages are untracked. */
    public void block(Collection<Delivery> deliveries) {
        Locked.run(lock, () -> deliveries.forEach(handoff::block));
    }

    @Override
    public void settled(Collection<Delivery> deliveries) {
        changed(() -> deliveries.forEach(handoff::settled));
    }

    @Override
    public boolean requeue(List<Delivery> deliveries, int alone, @Nullable Long notBefore) {
        boolean[] room = {true};
        boolean[] waits = {false};
        changed(() -> {
            boolean ended = notBefore == null ? drained : stopping;
            room[0] =
                    ended || notBefore == null || limit.mayWait(handoff.delayed(), handoff.delayedBytes(), deliveries);
            waits[0] = !ended && room[0] && handoff.requeue(deliveries, alone, notBefore);
        });
        if (!room[0] && noRoom.due()) { // without the lock
            log.warn(
                    "Listener {}: a failed message and the rest of its group return to {}, which raises their receive"
                            + " counts: messages that wait for retries have half of the in-flight limit ({}) or of"
                            + " batchsqs.in-flight-bytes ({}); raise prefetch, concurrency or batch-size, or the memory",
                    source.listener(),
                    source.name(),
                    limit.max(),
                    Check.bytes(limit.memory().max()));
        }
        return waits[0];
    }

    @Override
    public List<Delivery> removeWaiting(String group) {
        return locked(() -> handoff.removeWaiting(group));
    }

    @Override
    public List<Delivery> lose(Delivery delivery) {
        return locked(() -> handoff.lose(delivery));
    }

    /** Returns how many messages wait in groups that must not go on before a time. Needs no lock. */
    public int delayed() {
        return delayed;
    }

    /** Returns until when nothing is to be received, because the executor refuses batches. Needs no lock. */
    public long refusesUntil() {
        return refusesUntil;
    }

    /**
     * Starts nothing any more, and returns the messages that did not start, those of batches that the executor has not begun
     * included, and what waits behind them in their groups.
     *
     * @param busyGroupsToo whether messages that wait behind a running batch of their group are returned too
     */
    public List<Delivery> drain(boolean busyGroupsToo) {
        return locked(() -> {
            stopping = true;
            drained |= busyGroupsToo;
            ringIn(0, time.nanos()); // else it would keep what lingered from the garbage collector
            List<Delivery> waiting = new ArrayList<>();
            for (Batch batch : List.copyOf(slots)) {
                if (batch.cancel()) {
                    slots.remove(batch);
                    waiting.addAll(batch.messages);
                    batch.messages.stream()
                            .map(Delivery::group)
                            .distinct()
                            .forEach(group -> waiting.addAll(group == null ? List.of() : handoff.removeWaiting(group)));
                }
            }
            signalIfIdle();
            waiting.addAll(handoff.drain(busyGroupsToo));
            return waiting;
        });
    }

    /** Waits until no invocation runs, at most so long. Returns how many still run. */
    public int awaitIdle(long nanos) throws InterruptedException {
        return Locked.awaitNone(lock, idle, slots::size, nanos);
    }

    /** Interrupts the invocations that run. */
    public void interruptRunning() {
        Locked.run(lock, () -> slots.forEach(Batch::interrupt));
    }

    /** Returns whether the thread is in an invocation. */
    public boolean invokesOn(Thread thread) {
        return locked(() -> slots.stream().anyMatch(batch -> thread.equals(batch.thread)));
    }

    /** Changes how many invocations run at once; those beyond a lower number end by themselves. The timer starts what may run now. */
    public void setConcurrency(int newConcurrency) {
        ringAfter(() -> concurrency = newConcurrency);
    }

    /** Returns how many messages wait. */
    public int waiting() {
        return locked(handoff::size);
    }

    /** Returns how many batches have a slot. */
    public int active() {
        return locked(slots::size);
    }

    /**
     * For how long batches have had their slots.
     *
     * @param running how long the invocation runs that started first; zero if none runs
     * @param underWay the same, or how long the executor has not begun a batch, if that is longer
     * @param notBegun how long the executor has held all slots by batches that it has not begun; zero if one runs or is free
     */
    public record Longest(Duration running, Duration underWay, Duration notBegun) {}

    /** Returns for how long batches have had their slots. */
    public Longest longest() {
        return locked(() -> {
            long now = time.nanos();
            long running = 0;
            long underWay = 0;
            long notBegun = slots.size() < concurrency ? 0 : Long.MAX_VALUE;
            for (Batch batch : slots) {
                long age = now - batch.since;
                underWay = Math.max(underWay, age);
                running = Math.max(running, batch.thread == null ? 0 : age);
                notBegun = Math.min(notBegun, batch.thread == null ? age : 0);
            }
            return new Longest(Duration.ofNanos(running), Duration.ofNanos(underWay), Duration.ofNanos(notBegun));
        });
    }

    /** Has this alarm call {@link #tick()}. */
    public void timedBy(Alarm timer) {
        ringAfter(() -> alarm = timer);
    }

    /** Starts batches whose linger passed, or that are due otherwise; the timer calls this. */
    public void tick() {
        changed(() -> {});
    }

    private void ringAfter(Runnable change) {
        boolean ignored = locked(() -> {
            change.run();
            ringIn(0, time.nanos());
            return true;
        });
    }

    private void changed(Runnable change) {
        start(locked(() -> {
            change.run();
            return takeDue();
        }));
    }

    private <T extends @Nullable Object> T locked(Supplier<T> action) {
        boolean tells;
        Alarm rung;
        long at;
        T result;
        lock.lock();
        try {
            long refusedUntil = refusesUntil;
            result = action.get();
            int now = handoff.delayed();
            tells = now != delayed || refusedUntil != refusesUntil;
            delayed = now;
        } finally {
            rung = alarm;
            at = ringAt;
            ringAt = Alarm.NEVER;
            lock.unlock();
        }
        if (at != Alarm.NEVER) {
            rung.ringAt(at);
        }
        if (tells) {
            watch.run();
        }
        return result;
    }

    // ---- with the lock

    private void ringIn(long nanos, long now) {
        ringAt = nanos == Alarm.NEVER ? ringAt : Alarm.earlier(ringAt, now + nanos);
    }

    private void signalIfIdle() {
        if (slots.isEmpty()) {
            idle.signalAll();
        }
    }

    /** Returns the batches that the caller must start; they have their slots from now on. */
    private List<Batch> takeDue() {
        long now = time.nanos();
        List<Batch> due = new ArrayList<>(0);
        while (hasFreeSlot(now)) {
            List<Delivery> messages = handoff.poll(now);
            if (messages == null) {
                break;
            }
            Batch batch = new Batch(messages, now);
            slots.add(batch);
            due.add(batch);
        }
        signalIfIdle();
        if (pauseLeft(now) > 0) {
            ringIn(pauseLeft(now), now);
        } else if (hasFreeSlot(now)) {
            ringIn(handoff.nanosUntilDue(now), now);
        }
        return due;
    }

    /** After a refusal one batch at a time is tried. */
    private boolean hasFreeSlot(long now) {
        return !stopping
                && slots.size() < concurrency
                && (pause == 0 || (pauseLeft(now) <= 0 && slots.stream().allMatch(batch -> batch.thread != null)));
    }

    private long pauseLeft(long now) {
        return pause == 0 ? 0 : refusesUntil - pause - now;
    }

    private void pauseLonger() {
        long now = time.nanos();
        if (pauseLeft(now) <= 0) { // else others were refused at the same time
            pause = Math.clamp(2 * pause, SHORTEST_PAUSE, LONGEST_PAUSE);
            refusesUntil = now + 2 * pause;
        }
    }

    private void endPause() {
        if (pause > 0) {
            pause = 0;
            refusesUntil = time.nanos();
            ringIn(0, time.nanos()); // the others may start too
        }
    }

    // ---- without the lock

    /** Starts each batch where it holds up no timer, no call and no other batch, whatever the executor does. */
    private void start(List<Batch> due) {
        for (Batch batch : due) {
            handover.execute(batch::handOver);
        }
    }

    /** A batch that has a slot, from the hand-over to the executor until its invocation is over. What changes belongs to the lock. */
    private final class Batch implements Runnable {
        private final List<Delivery> messages;
        private final long slotAt;
        /** When it got its slot, and from its begin on when it began. */
        private long since;

        private boolean cancelled;
        /** Set from its begin on. */
        private @Nullable Thread thread;

        Batch(List<Delivery> messages, long now) {
            this.messages = messages;
            this.slotAt = now;
            this.since = now;
        }

        void handOver() {
            Throwable refusal = ForeignCode.run(() -> executor.execute(this));
            if (refusal == null) {
                return;
            }
            boolean refused = locked(this::refused);
            logRefusal(refused, refusal);
            if (refused) {
                invocation.refused(messages); // its messages wait again, or return, before its slot is free
                end();
            }
            if (!refused || !(refusal instanceof RejectedExecutionException)) {
                source.events().on(new ListenerEvent.Unexpected(EngineStage.HANDOFF.text(), refusal));
            }
        }

        /** @param refused whether the executor neither runs the batch, nor has run it, nor got it after a stop */
        private void logRefusal(boolean refused, Throwable cause) {
            String more = refused ? refusals.record(messages.size()) : null;
            if (!refused) {
                log.error(
                        "Listener {}: the executor failed, and may run a batch all the same", source.listener(), cause);
            } else if (more != null) {
                log.error(
                        "Listener {}: the executor refused a batch of {}; it is handed over again, and nothing is received until"
                                + " the executor takes it; let the executor take as many batches at once as the listener's"
                                + " concurrency{}",
                        source.listener(),
                        messages.size(),
                        more,
                        cause);
            }
        }

        private boolean refused() {
            boolean refused = cancel();
            if (refused) {
                pauseLonger();
            }
            return refused;
        }

        /** Returns whether it will not run: the executor had not begun it. */
        boolean cancel() {
            boolean cancels = thread == null && !cancelled;
            cancelled |= cancels;
            return cancels;
        }

        void interrupt() {
            if (thread != null) {
                thread.interrupt();
            }
        }

        /** Called by the executor. */
        @Override
        public void run() {
            int active = locked(this::begin);
            if (active > 0) {
                try {
                    invocation.run(messages, slotAt, active);
                } finally {
                    end();
                }
            }
        }

        /** Returns how many batches have a slot, with this one; 0 if it must not run, because it was cancelled or has run before. */
        private int begin() {
            if (thread != null || cancelled) {
                return 0;
            }
            thread = Thread.currentThread();
            since = time.nanos();
            endPause();
            return slots.size();
        }

        private void end() {
            changed(() -> slots.remove(this));
        }
    }
}
