/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import io.github.batchsqs.internal.receive.delivery.InFlightLedger;
import io.github.batchsqs.internal.receive.delivery.InFlightLimit;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.support.EngineLock;
import io.github.batchsqs.internal.support.SqsErrors;
import io.github.batchsqs.listener.ReceiveFailure;
import io.github.batchsqs.listener.ReceiveWait;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pollers: lets each wait until it may receive, in one loop under one lock, starts and ends them, and knows why they wait.
 *
 * <p>The lock is never held during a call: of SQS, of a gate, of the hand-off or of a log. Whoever changes what a poller waits for wakes
 * it: a permit one poller, which wakes the next if it leaves some; everything else all of them. Safe for use by any thread.
 */
final class Valve {

    /** What a poller does that may receive. */
    interface Work {

        /** Receives once, and hands the messages over. */
        void receive(Poller poller, int asked) throws InterruptedException;

        /** The memory is exhausted: nothing fills the batches that wait to be filled. */
        void memoryIsExhausted();
    }

    private static final Logger log = LoggerFactory.getLogger(Fetcher.class);

    private final ListenerQueue source;
    private final InFlightLimit limit;
    private final Gates gates;
    private final TimeSource time;
    private final RandomGenerator random;
    private final Work work;

    private final ReentrantLock lock = new EngineLock();
    private final Condition ended;
    private final Set<Poller> pollers = new LinkedHashSet<>();
    private final PollingDecisions decisions;
    private final ReceiveOutage outage;
    private Executor threads = Runnable::run;
    private long closedBefore;
    private boolean polling;
    private boolean stopped;

    /** How many pollers look whether they may receive, or wait; written with the lock only. */
    private volatile int waiting;

    Valve(
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
        this.ended = time.condition(lock);
        this.random = random;
        this.work = work;
        this.decisions = new PollingDecisions(source, limit, ledger, gates, time.nanos());
        this.outage = decisions.outage();
        limit.onFreed(this::freed);
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
            gates.reset(time.nanos());
            boolean unused = outage.succeeded(time.nanos()); // nobody has failed yet
            startMissing();
        });
    }

    // ---- the pollers

    private void startMissing() {
        while (polling && missesOne()) {
            Poller poller = newPoller();
            pollers.add(poller);
            threads.execute(() -> runUntilHalted(poller));
        }
    }

    private Poller newPoller() {
        return new Poller(new PollerMemory(source, random), time.condition(lock));
    }

    /** One poller more than needed runs beside those whose receives are late, when no other is left. */
    private boolean missesOne() {
        int needed = decisions.pollers();
        return pollers.size() < needed || (pollers.size() == needed && allAreLate());
    }

    private boolean hasOneTooMany() {
        int needed = decisions.pollers();
        return pollers.size() > needed && (pollers.size() > needed + 1 || !oneIsLate());
    }

    private boolean allAreLate() {
        long now = time.nanos();
        return pollers.stream().allMatch(poller -> poller.late(now, outage.steady()));
    }

    private boolean oneIsLate() {
        long now = time.nanos();
        for (Poller poller : pollers) { // at each receive
            if (poller.late(now, outage.steady())) {
                return true;
            }
        }
        return false;
    }

    private void runUntilHalted(Poller poller) {
        try {
            boolean goesOn = true;
            while (goesOn) {
                goesOn = receiveOnce(poller);
            }
        } finally {
            retire(poller);
        }
    }

    /** Returns whether the poller goes on. */
    private boolean receiveOnce(Poller poller) {
        try {
            int permits = awaitTurn(poller);
            if (permits == 0) {
                return false;
            }
            work.receive(poller, permits);
        } catch (InterruptedException e) {
            log.trace("A poller of {} was interrupted", source.name()); // by a halt, or it goes on
        }
        return true;
    }

    /**
     * Waits until the poller may receive, and begins its receive; meanwhile starts others if there are too few.
     *
     * @return the permits of the receive; 0 if this poller is to end
     */
    @SuppressWarnings("NonAtomicVolatileUpdate") // changed under the lock alone
    private int awaitTurn(Poller poller) throws InterruptedException {
        lock.lock();
        waiting++; // before it looks for permits, so that none that returns goes unseen
        try {
            poller.runsOn(Thread.currentThread());
            poller.works();
            while (!poller.halted()) {
                startMissing();
                if (hasOneTooMany()) {
                    remove(poller);
                    return 0;
                }
                long now = time.nanos();
                decisions.adaptLimit(now);
                Closed closed = decisions.closed(poller, now);
                if (closed == null) {
                    int permits = gates.mustAsk(poller, now) ? askGates(poller, now) : begin(poller, now);
                    if (permits > 0) {
                        return permits;
                    }
                } else if (limit.becomesExhausted()) {
                    unlocked(work::memoryIsExhausted);
                } else {
                    poller.await(closed, now);
                }
            }
            return 0;
        } finally {
            waiting--;
            wakeForPermits();
            lock.unlock();
        }
    }

    private int begin(Poller poller, long now) {
        int permits = decisions.begin(poller, now);
        if (permits > 0) {
            poller.receives(permits, openReceive(now));
        }
        return permits;
    }

    private OpenReceive openReceive(long now) {
        return new OpenReceive(now, decisions.waitTime(oneIsLate()));
    }

    /** Returns 0, because other reasons may have come up meanwhile. */
    private int askGates(Poller poller, long now) throws InterruptedException {
        GateChecks.Ask ask = gates.begin(now);
        GateChecks.Answer answer = null;
        poller.asksGates();
        lock.unlock();
        try {
            answer = gates.ask(ask, poller);
        } finally {
            lock.lock();
            poller.works();
            Runnable log = gates.end(ask, answer, poller, time.nanos());
            wakeAll(); // those that wait for the answer
            unlocked(log);
        }
        return 0;
    }

    private void unlocked(Runnable action) {
        lock.unlock();
        try {
            action.run();
        } finally {
            lock.lock();
        }
    }

    /** Permits or memory may have returned. */
    private void freed() {
        if (waiting > 0) {
            locked(this::wakeForPermits);
        }
    }

    private void wakeForPermits() {
        for (Poller poller : pollers) {
            if (poller.waitsForPermits()) {
                poller.wake();
                return;
            }
        }
    }

    private void wakeAll() {
        pollers.forEach(Poller::wake);
    }

    /** Begins a receive on the calling thread, which belongs to no poller, with the permits that are free; {@code null} if there are none. */
    @Nullable
    Poller beginHere() {
        return locked(() -> {
            long now = time.nanos();
            decisions.adaptLimit(now);
            Poller poller = newPoller();
            poller.runsOn(Thread.currentThread());
            if (begin(poller, now) == 0) {
                return null;
            }
            pollers.add(poller);
            return poller;
        });
    }

    /** Ends a poller, and returns the permits of a receive that threw before it passed them on. */
    void retire(Poller poller) {
        limit.release(locked(() -> {
            remove(poller);
            return poller.takePermits();
        }));
    }

    private void remove(Poller poller) {
        pollers.remove(poller);
        decisions.retired(poller);
        ended.signalAll();
        wakeAll();
    }

    // ---- a halt

    /**
     * The pollers that a halt did not end.
     *
     * @param receiving those whose receive ignores its interrupt
     * @param asking those whose gate ignores its interrupt
     */
    record Remaining(List<Poller> receiving, List<Poller> asking) {}

    /** Ends all pollers, see {@link Fetcher#pause}; for good if asked to. */
    Remaining halt(Duration grace, boolean forGood) {
        int permits;
        Remaining remaining;
        lock.lock();
        try {
            polling = false;
            stopped |= forGood;
            pollers.forEach(Poller::halt);
            boolean interrupted =
                    Thread.interrupted() || interruptedWhilePollersEnd(ReceiveGrace.left(grace, pollers, time));
            pollers.forEach(Poller::abortReceive);
            if (interrupted || interruptedWhilePollersEnd(grace)) {
                Thread.currentThread().interrupt();
            }
            remaining = new Remaining(those(poller -> poller.open() != null), those(Poller::asking));
            permits = pollers.stream().mapToInt(Poller::abandon).sum();
            pollers.clear();
        } finally {
            lock.unlock();
        }
        limit.release(permits);
        return remaining;
    }

    private List<Poller> those(Predicate<Poller> state) {
        return pollers.stream().filter(state).toList();
    }

    private boolean interruptedWhilePollersEnd(Duration atMost) {
        try {
            for (long left = atMost.toNanos(); !pollers.isEmpty() && left > 0; ) {
                left = ended.awaitNanos(left);
            }
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    // ---- changes from outside

    void setBounds(int min, int max) {
        locked(() -> {
            decisions.setPollers(min, max);
            startMissing();
            wakeAll(); // one that waits may be one too many
        });
    }

    void setRunning(int messages) {
        locked(() -> {
            decisions.setRunning(messages);
            wakeForPermits();
        });
    }

    /** So many messages wait here for a retry. */
    void setWaiting(int messages) {
        locked(() -> {
            decisions.setWaiting(messages);
            settled();
        });
    }

    /** The executor has refused a batch: nothing is received for so long. */
    void setRefused(long nanos) {
        locked(() -> {
            decisions.setRefusedUntil(time.nanos() + nanos);
            wakeAll();
        });
    }

    /** Messages were settled, so that the limit may rise before their deletes return their permits. */
    void settled() {
        if (waiting > 0) {
            locked(() -> {
                decisions.adaptLimit(time.nanos());
                wakeForPermits();
            });
        }
    }

    // ---- the end of a receive

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
                wakeAll();
            }
            return new Ended(poller.takePermits(), poller.abandoned(), stopped, early);
        });
    }

    /** Ends a receive that failed. Returns whether that matters: how one fails that a halt has aborted does not. */
    boolean endFailed(Poller poller, int asked) {
        limit.release(locked(() -> {
            poller.works();
            decisions.returnTokens(asked);
            return poller.takePermits();
        }));
        return !locked(poller::halted);
    }

    /** Publishes a failure that is logged: whoever sees it finds it in the log. */
    void publish(Poller poller, Throwable e, ReceiveFailure failure, long calledAt, long now) {
        locked(() -> {
            if (!poller.halted()) {
                // Silence was a pause already
                Duration unused = poller.memory.failed(e, SqsErrors.isSilence(failure.code()) ? calledAt : now);
                closedBefore = outage.failure() == null ? gates.closedNanos(now) : closedBefore;
                if (outage.failed(poller, failure, calledAt, now)) {
                    wakeAll();
                }
            }
        });
    }

    // ---- questions

    /** Returns how many pollers run. */
    int size() {
        return locked(pollers::size);
    }

    /** Returns how many pollers wait. */
    int blocked() {
        return locked(() -> those(poller -> poller.waitsFor() != null).size());
    }

    /** See {@link Fetcher#waitsFor}. */
    @Nullable
    ReceiveWait waitsFor() {
        return locked(() -> {
            long now = time.nanos();
            ReceiveWait gate = gates.waiting(pollers.size(), now);
            if (gate != null
                    || pollers.isEmpty()
                    || !those(each -> each.waitsFor() == null).isEmpty()) {
                return gate;
            }
            Poller first = pollers.stream()
                    .min(Comparator.comparingLong(each -> each.waitsSince() - now))
                    .orElseThrow();
            Closed closed = first.waitsFor();
            return closed == null
                    ? null
                    : new ReceiveWait(
                            closed.reason(),
                            closed.detail(),
                            Duration.ofNanos(now - first.waitsSince()),
                            Duration.ofNanos(Math.max(0, first.waitsUntil() - now)),
                            Duration.ZERO);
        });
    }

    /** See {@link Fetcher#failingFor}. */
    Duration failingFor() {
        return locked(() -> {
            long now = time.nanos();
            return outage.failure() == null
                    ? OverdueReceives.longest(pollers, outage, now)
                    : outage.failingFor(now).minusNanos(gates.closedNanos(now) - closedBefore);
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

    /** Marks the receives that are overdue, and starts a further poller if all are late. */
    OverdueReceives markOverdue() {
        return locked(() -> {
            startMissing();
            return OverdueReceives.mark(pollers, outage, time.nanos());
        });
    }

    /** Returns what logs a gate that does not respond. */
    Runnable recordUnanswered() {
        return locked(() -> gates.recordUnanswered(time.nanos()));
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
