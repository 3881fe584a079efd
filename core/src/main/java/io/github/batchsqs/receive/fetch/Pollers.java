/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.fetch;

import io.github.batchsqs.listener.ReceiveFailure;
import io.github.batchsqs.receive.delivery.InFlightLedger;
import io.github.batchsqs.receive.delivery.InFlightLimit;
import io.github.batchsqs.receive.delivery.ListenerQueue;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The pollers of a listener: which of them run, what each does, and which may receive now. Starts, retires and halts them.
 *
 * <p>Owns the {@link Fetcher}'s lock, which is never held during a receive; that of the {@link Gates} may be taken with it. Safe for use by any thread.
 */
final class Pollers {

    /** What a poller does until it is halted. */
    interface Work {

        /** Receives once, and hands the messages over. */
        void runOnce(Poller poller) throws InterruptedException;

        /** Logs and reports a failure; never throws. */
        void unexpected(String what, Throwable failure);
    }

    private final ListenerQueue source;
    private final InFlightLimit limit;
    private final Gates gates;
    private final TimeSource time;
    private final RandomGenerator random;
    private final Work work;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed;
    private final Set<Poller> pollers = new HashSet<>();
    private final PollingDecisions decisions;
    private final ReceiveOutage outage;
    private Executor threads = Runnable::run;
    private long closedBefore;
    private boolean polling;
    private boolean stopped;

    Pollers(
            ListenerQueue source,
            InFlightLimit limit,
            InFlightLedger ledger,
            Gates gates,
            TimeSource time,
            RandomGenerator random,
            Work work) {
        this.source = source;
        this.limit = limit;
        this.gates = gates;
        this.time = time;
        this.changed = time.condition(lock);
        this.random = random;
        this.work = work;
        this.decisions = new PollingDecisions(source, limit, ledger, time.nanos());
        this.outage = decisions.outage();
    }

    /** See {@link Fetcher#start}. */
    void start(Executor pollerThreads) {
        locked(() -> {
            threads = pollerThreads;
            resume();
        });
    }

    /** See {@link Fetcher#resume}. */
    void resume() {
        locked(() -> {
            polling = !stopped;
            boolean unused = outage.succeeded(time.nanos()); // nobody has failed yet
            startMissing();
        });
    }

    /**
     * The pollers that a halt did not end.
     *
     * @param receiving those whose receive ignores its interrupt
     * @param asking those whose gate ignores its interrupt
     * @param handingOver those that hand messages over
     */
    record Remaining(List<Poller> receiving, List<Poller> asking, List<Poller> handingOver) {}

    /** Ends all pollers, see {@link Fetcher#pause}; for good if asked to. */
    Remaining halt(Duration grace, boolean forGood) {
        lock.lock();
        try {
            polling = false;
            stopped |= forGood;
            pollers.forEach(Poller::halt);
            changed.signalAll();
            boolean interrupted =
                    Thread.interrupted() || interruptedWhilePollersEnd(ReceiveGrace.left(grace, pollers, time));
            pollers.forEach(Poller::abortReceive);
            if (interrupted || interruptedWhilePollersEnd(grace)) {
                Thread.currentThread().interrupt();
            }
            Remaining remaining = new Remaining(
                    those(poller -> poller.open() != null),
                    those(Poller::asking),
                    those(poller -> poller.open() == null && !poller.asking()));
            pollers.forEach(poller -> limit.release(poller.abandon()));
            pollers.clear();
            return remaining;
        } finally {
            lock.unlock();
        }
    }

    private List<Poller> those(Predicate<Poller> state) {
        return pollers.stream().filter(state).toList();
    }

    private boolean interruptedWhilePollersEnd(Duration atMost) {
        try {
            for (long left = atMost.toNanos(); !pollers.isEmpty() && left > 0; ) {
                left = changed.awaitNanos(left);
            }
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    void setBounds(int min, int max) {
        locked(() -> {
            decisions.setPollers(min, max);
            startMissing();
            changed.signalAll(); // one that pauses may be one too many
        });
    }

    void setRunning(int messages) {
        locked(() -> decisions.setRunning(messages));
    }

    /** Adapts the in-flight limit to the rate of this moment. */
    void adaptLimit() {
        locked(() -> decisions.adaptLimit(time.nanos()));
    }

    /** Returns how many pollers run. */
    int size() {
        return locked(pollers::size);
    }

    /** Returns how many pollers wait for permits, or for the rate limit. */
    int blocked() {
        return locked(() -> those(Poller::blocked).size());
    }

    /** See {@link Fetcher#failingFor}. */
    Duration failingFor() {
        return locked(() -> {
            long now = time.nanos();
            return outage.failure() == null
                    ? OverdueReceives.longest(pollers, outage, now)
                    : outage.failingFor(now).minusNanos(gates.closedNanos() - closedBefore);
        });
    }

    /** See {@link Fetcher#failure}. */
    @Nullable
    ReceiveFailure failure() {
        return locked(() -> {
            ReceiveFailure last = outage.failure();
            Duration overdueFor = OverdueReceives.longest(pollers, outage, time.nanos());
            return last == null && overdueFor.isPositive() ? ReceiveOutage.NO_RESPONSE : last;
        });
    }

    /** Marks the receives that are overdue. */
    OverdueReceives markOverdue() {
        return locked(() -> OverdueReceives.mark(pollers, outage, time.nanos()));
    }

    private void startMissing() {
        while (polling && pollers.size() < decisions.pollers()) {
            Poller poller = new Poller(new PollerMemory(source, random));
            pollers.add(poller);
            try {
                threads.execute(() -> runUntilHalted(poller));
            } catch (Throwable e) {
                pollers.remove(poller);
                if (pollers.isEmpty()) {
                    throw e;
                }
                work.unexpected("A poller could not be started; the others go on, and start it later", e);
                return;
            }
        }
    }

    private void runUntilHalted(Poller poller) {
        try {
            boolean goesOn = true;
            while (goesOn) {
                goesOn = runGuarded(poller);
            }
        } finally {
            retire(poller);
        }
    }

    /** Returns whether the poller goes on, whatever is thrown. */
    private boolean runGuarded(Poller poller) {
        try {
            if (!awaitPause(poller)) {
                return false;
            }
            work.runOnce(poller);
        } catch (InterruptedException e) {
            Fetcher.log.trace("A poller of {} was interrupted", source.name()); // by a halt, or it goes on
        } catch (Throwable e) {
            Duration pause = locked(() -> poller.memory.failed(e, time.nanos()));
            work.unexpected("A poller failed, and goes on in " + pause.toMillis() + " ms", e);
        }
        return true;
    }

    /**
     * Waits for the poller's pause or backoff, and in an outage for the one that probes; meanwhile starts others if there
     * are too few. Returns whether this poller is still needed.
     */
    private boolean awaitPause(Poller poller) throws InterruptedException {
        lock.lock();
        try {
            poller.runsOn(Thread.currentThread());
            poller.works();
            limit.release(poller.takePermits()); // of a receive that threw before it passed them on
            while (!poller.halted()) {
                poller.looks(gates.wakes());
                startMissing();
                if (pollers.size() > decisions.pollers()) {
                    remove(poller);
                    return false;
                }
                if (!outage.mayReceive(poller)) {
                    changed.await();
                    continue;
                }
                long pause = decisions.nextReceive(poller, time.nanos());
                if (pause <= 0) {
                    return true;
                }
                long ignored = changed.awaitNanos(pause);
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    /** Begins a receive on the calling thread, which belongs to no poller so far. */
    Poller beginHere(int permits) throws InterruptedException {
        lock.lock();
        try {
            Poller poller = new Poller(new PollerMemory(source, random));
            poller.runsOn(Thread.currentThread());
            poller.receives(permits, openReceive());
            pollers.add(poller);
            return poller;
        } finally {
            lock.unlock();
        }
    }

    /** Records that the poller asks the gates, or waits for them. */
    void asksGates(Poller poller) {
        locked(poller::asksGates);
    }

    /** Records that the poller has asked the gates. */
    void hasAskedGates(Poller poller) {
        locked(poller::hasAskedGates);
    }

    /** Records that the poller waits for permits. Returns how many it asks for. */
    int awaitsPermits(Poller poller) throws InterruptedException {
        lock.lock();
        try {
            poller.waits();
            decisions.adaptLimit(time.nanos());
            return decisions.permits();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Begins a receive when the rate limit allows it; or returns {@code false} because an outage has begun meanwhile, or the
     * gates are to be asked again.
     */
    boolean begin(Poller poller, int permits) throws InterruptedException {
        lock.lock();
        try {
            while (outage.mayReceive(poller) && poller.isPermitted(time.nanos())) {
                poller.goesOn();
                long wait = decisions.takeTokens(permits, time.nanos());
                if (wait <= 0) {
                    poller.receives(permits, openReceive());
                    return true;
                }
                long ignored = changed.awaitNanos(wait);
            }
            return false;
        } finally {
            lock.unlock();
        }
    }

    private ReceiveOutage.OpenReceive openReceive() {
        return new ReceiveOutage.OpenReceive(time.nanos(), decisions.waitTime());
    }

    /**
     * A receive that succeeded.
     *
     * @param permits the permits that it held, which are the caller's now
     * @param abandoned whether a halt has not waited for it
     * @param stopped whether that halt was for good
     * @param early how many receives of its poller in a row were empty before half of their wait time
     */
    record Ended(int permits, boolean abandoned, boolean stopped, int early) {}

    /** Ends a receive that succeeded; its last message was accepted by SQS this long ago, in nanoseconds. */
    Ended endSucceeded(Poller poller, int messages, int asked, Duration waitTime, long took, long age) {
        return locked(() -> {
            poller.works();
            long now = time.nanos();
            int early = poller.memory.succeeded(messages, asked, waitTime, took, now);
            if (decisions.succeeded(messages, asked, poller.bounded(), took, age, now)) {
                pollers.forEach(each -> each.memory.endBackoff());
                changed.signalAll();
            }
            return new Ended(poller.takePermits(), poller.abandoned(), stopped, early);
        });
    }

    /** Ends a receive that failed. Returns whether that matters: how one fails that a halt has aborted does not. */
    boolean endFailed(Poller poller, int asked) {
        return locked(() -> {
            poller.works();
            limit.release(poller.takePermits());
            decisions.returnTokens(asked);
            return !poller.halted();
        });
    }

    /** Publishes a failure that is logged: whoever sees it finds it in the log. */
    void publish(Poller poller, Throwable e, ReceiveFailure failure, long calledAt, long now) {
        locked(() -> {
            if (!poller.halted()) {
                Duration unused = poller.memory.failed(e, now);
                closedBefore = outage.failure() == null ? gates.closedNanos() : closedBefore;
                if (outage.failed(poller, failure, calledAt, now)) {
                    changed.signalAll();
                }
            }
        });
    }

    /** Ends a poller. */
    void retire(Poller poller) {
        locked(() -> remove(poller));
    }

    private void remove(Poller poller) {
        pollers.remove(poller);
        decisions.retired(poller);
        changed.signalAll();
    }

    private void locked(Runnable action) {
        lock.lock();
        try {
            action.run();
        } finally {
            lock.unlock();
        }
    }

    private <T extends @Nullable Object> T locked(Supplier<T> question) {
        lock.lock();
        try {
            return question.get();
        } finally {
            lock.unlock();
        }
    }
}
