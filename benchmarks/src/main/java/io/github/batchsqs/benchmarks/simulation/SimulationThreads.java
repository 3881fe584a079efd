/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.simulation;

import io.github.batchsqs.receive.EngineInstance;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Date;
import java.util.LinkedHashSet;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Virtual time, and threads of which exactly one runs at any moment: the strands. A strand runs until it ends or waits, and whoever gives
 * up control selects what is next: strands that are ready in the order in which they became ready, then the next event. Time passes only
 * from event to event. So a seed decides everything, whatever the scheduler of the JVM does.
 *
 * <p>The conditions of the engine's locks are those of this class ({@link #condition}), so its own loops run here without a change. A strand
 * holds no lock while it waits otherwise; the engine holds none during a call or a handler.
 *
 * <p>Belongs to the thread that made it, which should be virtual: control passes between virtual threads faster.
 */
final class SimulationThreads implements EngineInstance.Simulation {

    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private final Runner main = new Runner(Thread.currentThread());
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final ArrayDeque<Strand> ready = new ArrayDeque<>();
    private final Set<Strand> strands = new LinkedHashSet<>();

    /** Who has control. Its change publishes everything else here to the next one. */
    private volatile Runner running = main;

    private long now;
    private long horizon;
    private long sequence;
    private boolean stopped;
    private boolean ending;
    private @Nullable Throwable failure;

    /** Something that happens at a time. */
    static final class Event implements Comparable<Event> {

        private final long at;
        private final long order;
        private @Nullable Runnable action;

        private Event(long at, long order, Runnable action) {
            this.at = at;
            this.order = order;
            this.action = action;
        }

        /** It will not happen. */
        void cancel() {
            action = null;
        }

        @Override
        public int compareTo(Event other) {
            return at == other.at ? Long.compare(order, other.order) : Long.compare(at, other.at);
        }
    }

    private static class Runner {
        final Thread thread;

        Runner(Thread thread) {
            this.thread = thread;
        }
    }

    private static final class Strand extends Runner {
        private boolean begun;

        Strand(Thread thread) {
            super(thread);
        }
    }

    // ---- for the simulation

    /** Lets time pass up to this moment, or until {@link #stop}. Rethrows what a strand or an event threw. */
    void runUntil(long nanos) {
        horizon = nanos;
        if (!stopped) {
            passControl(next());
            awaitControl(main);
            now = stopped ? now : Math.max(now, nanos);
        }
        stopped = false;
        if (failure != null) {
            throw new IllegalStateException("A strand of the simulation failed", failure);
        }
    }

    /** Ends {@link #runUntil}, or the next one, as soon as the strand or the event that calls this is over or waits. */
    void stop() {
        stopped = true;
    }

    /** Ends all strands: each wait fails. The instances must have been stopped. */
    void end() {
        ending = true;
        ready.clear();
        ready.addAll(strands);
        events.clear();
        runUntil(now);
        if (!strands.isEmpty()) {
            throw new IllegalStateException(strands.size() + " strands go on although the simulation is over");
        }
    }

    /** Schedules an action, which must not wait. */
    Event at(long nanos, Runnable action) {
        Event event = new Event(Math.max(now, nanos), sequence++, action);
        events.add(event);
        return event;
    }

    /** Returns what makes the calling strand, which is about to {@link #pause}, ready. */
    Runnable waker() {
        Strand me = current();
        return () -> ready.add(me);
    }

    /** Called on a strand: waits until its {@link #waker} is called. */
    void pause() throws InterruptedException {
        Strand me = current();
        if (!ending) {
            Runner next = next();
            if (!next.equals(me)) {
                passControl(next);
                awaitControl(me);
            }
        }
        if (ending) {
            throw new InterruptedException("The simulation is over");
        }
    }

    // ---- for the engine

    @Override
    public long nanos() {
        return now;
    }

    @Override
    public Instant now() {
        return BEGIN.plusNanos(now);
    }

    @Override
    public void start(String role, Runnable task) {
        Strand[] self = new Strand[1];
        Thread thread = Thread.ofVirtual().name("simulation-" + role).unstarted(() -> {
            try {
                task.run();
            } catch (Throwable e) { // the run fails with it
                failure = failure == null ? e : failure;
            } finally {
                strands.remove(self[0]);
                passControl(next());
            }
        });
        self[0] = new Strand(thread);
        strands.add(self[0]);
        ready.add(self[0]);
    }

    @Override
    public void sleep(long nanos) throws InterruptedException {
        Event unused = at(now + nanos, waker());
        pause();
    }

    @Override
    public Condition condition(ReentrantLock lock) {
        return new StrandCondition(lock);
    }

    // ---- control

    private Strand current() {
        if (running instanceof Strand strand) {
            return strand;
        }
        throw new IllegalStateException("Only a strand can wait");
    }

    private Runner next() {
        while (failure == null && !stopped) {
            Strand strand = ready.poll();
            if (strand != null) {
                return strand;
            }
            Event event = events.peek();
            if (event == null || event.at > horizon) {
                return main;
            }
            events.remove();
            happen(event);
        }
        return main;
    }

    private void happen(Event event) {
        Runnable action = event.action;
        if (action != null) {
            now = event.at;
            try {
                action.run();
            } catch (Throwable e) { // the run fails with it
                failure = e;
            }
        }
    }

    private void passControl(Runner next) {
        boolean begins = next instanceof Strand strand && !strand.begun;
        if (begins) {
            ((Strand) next).begun = true;
        }
        running = next;
        if (begins) {
            next.thread.start();
        } else {
            LockSupport.unpark(next.thread);
        }
    }

    private void awaitControl(Runner me) {
        while (!running.equals(me)) {
            LockSupport.park(this);
            boolean unused = Thread.interrupted(); // by a halt at the end, after which each wait fails anyway
        }
    }

    /** A condition whose waits take virtual time. Those who wait look again, as with any condition. */
    @SuppressWarnings({"WaitNotInLoop", "LockNotBeforeTry"}) // the loops are the callers', and so are the locks
    private final class StrandCondition implements Condition {

        private final ReentrantLock lock;
        private final ArrayDeque<Runnable> waiters = new ArrayDeque<>();

        StrandCondition(ReentrantLock lock) {
            this.lock = lock;
        }

        @Override
        public void await() throws InterruptedException {
            Runnable me = waker();
            waiters.add(me);
            waitUnlocked();
        }

        @Override
        public long awaitNanos(long nanos) throws InterruptedException {
            Runnable me = waker();
            long until = now + nanos;
            waiters.add(me);
            Event timeout = at(until, () -> {
                if (waiters.remove(me)) {
                    me.run();
                }
            });
            try {
                waitUnlocked();
            } finally {
                timeout.cancel();
            }
            return until - now;
        }

        private void waitUnlocked() throws InterruptedException {
            lock.unlock();
            try {
                pause();
            } finally {
                lock.lock();
            }
        }

        @Override
        public void signal() {
            Runnable first = waiters.poll();
            if (first != null) {
                first.run();
            }
        }

        @Override
        public void signalAll() {
            waiters.forEach(Runnable::run);
            waiters.clear();
        }

        @Override
        public boolean await(long time, TimeUnit unit) throws InterruptedException {
            return awaitNanos(unit.toNanos(time)) > 0;
        }

        @Override
        public void awaitUninterruptibly() {
            throw new UnsupportedOperationException("The engine's loops can be interrupted");
        }

        @Override
        public boolean awaitUntil(Date deadline) {
            throw new UnsupportedOperationException("The engine waits for durations");
        }
    }
}
