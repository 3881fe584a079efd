/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import io.github.batchsqs.internal.receive.delivery.InFlightLedger;
import io.github.batchsqs.internal.receive.delivery.InFlightLimit;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.support.Locked;
import io.github.batchsqs.internal.support.SqsErrors;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ReceiveFailure;
import io.github.batchsqs.listener.ReceiveWait;
import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pollers: lets each wait until it may receive, in one loop under one lock, starts and ends them, and knows why they wait.
 *
 * <p>The lock is never held during a call: of SQS, of a gate, of the hand-off or of a log. Whoever changes what a poller waits for wakes
 * it: a permit one poller, which wakes the next if it leaves some; everything else all of them. Safe for use by any thread.
 */
public final class Valve {

    /** What a poller does that may receive. */
    @FunctionalInterface
    interface Work {

        /** Makes the receive that the poller has begun, and hands the messages over. */
        void receive(Valve valve, Poller poller, OpenReceive receive);
    }

    private static final Logger log = LoggerFactory.getLogger(Valve.class);

    /** Time for a response that is on its way: half of the slowest round trip that is supported well, and a margin. */
    private static final Duration RESPONSE_TIME = Duration.ofMillis(100);

    private final ListenerQueue source;
    private final InFlightLimit limit;
    private final Gates gates;
    private final TimeSource time;
    private final Work work;
    private final Downstream downstream;

    private final ReentrantLock lock;
    private final Condition ended;
    private final Set<Poller> pollers = new LinkedHashSet<>();
    private final PollingDecisions decisions;
    private final Executor threads;
    private boolean polling;
    private boolean stopped;

    /** How many pollers look whether they may receive, or wait; written with the lock only. */
    private volatile int waiting;

    /**
     * Makes the valve; no poller runs before {@link #start}.
     *
     * @param threads runs each poller at once
     */
    public Valve(
            ListenerQueue source,
            InFlightLimit limit,
            InFlightLedger ledger,
            Gates gates,
            Executor threads,
            Work work,
            Downstream downstream) {
        this.source = source;
        this.limit = limit;
        this.gates = gates;
        this.time = source.time();
        this.lock = limit.lock();
        this.ended = lock.newCondition();
        this.threads = threads;
        this.work = work;
        this.downstream = downstream;
        this.decisions = new PollingDecisions(source, limit, ledger, gates, downstream, time.nanos());
        limit.onFreed(this::freed);
    }

    /**
     * Receives, also again after a {@link #pause}, unless it has been stopped: starts the minimum number of pollers, which start and
     * retire others. All that was measured before a pause still counts, but the gates are asked anew.
     */
    public void start() {
        locked(() -> {
            polling = !stopped;
            gates.reset(time.nanos());
            decisions.outage.succeeded(); // nobody has failed yet
            startMissing();
        });
    }

    // ---- the pollers

    /** Starts those that are missing, each without the lock: the executor may take one of its own. */
    private void startMissing() {
        while (polling && missesOne()) {
            Poller poller = new Poller(source, lock.newCondition());
            pollers.add(poller);
            unlocked(() -> threads.execute(() -> runUntilHalted(poller)));
        }
    }

    /** One poller more than needed runs beside those whose receives are late, when no other is left. */
    private boolean missesOne() {
        int needed = decisions.pollers();
        return pollers.size() < needed
                || (pollers.size() == needed && pollers.stream().allMatch(late()));
    }

    /** Those on platform threads stay to the last: they need no carrier while handlers compute. */
    private boolean isOneTooMany(Poller poller) {
        int surplus = pollers.size() - decisions.pollers();
        return surplus > 0
                && (surplus > 1 || pollers.stream().noneMatch(late()))
                && (poller.isVirtual() || pollers.stream().noneMatch(Poller::isVirtual));
    }

    private Predicate<Poller> late() {
        long now = time.nanos();
        boolean steady = decisions.outage.steady();
        return poller -> poller.late(now, steady);
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
            OpenReceive receive = awaitTurn(poller);
            if (receive == null) {
                return false;
            }
            work.receive(this, poller, receive);
        } catch (InterruptedException e) {
            log.trace("A poller of {} was interrupted", source.name()); // by a halt, or it goes on
        }
        return true;
    }

    /**
     * Waits until the poller may receive, and begins its receive; meanwhile starts others if there are too few.
     *
     * @return the receive; {@code null} if this poller is to end
     */
    @SuppressWarnings("NonAtomicVolatileUpdate") // changed under the lock alone
    private @Nullable OpenReceive awaitTurn(Poller poller) throws InterruptedException {
        lock.lock();
        waiting++; // before it looks for permits, so that none that returns goes unseen
        try {
            poller.runsOn(Thread.currentThread());
            poller.works();
            for (startMissing(); !poller.halted(); startMissing()) {
                if (isOneTooMany(poller)) {
                    remove(poller);
                    return null;
                }
                long now = time.nanos();
                decisions.adaptLimit(now);
                Closed closed = decisions.closed(poller, now);
                if (closed == null && gates.mustAsk(poller, now)) {
                    askGates(poller, now); // meanwhile other reasons may have come up
                } else if (closed == null) {
                    OpenReceive receive =
                            decisions.begin(poller, pollers.stream().anyMatch(late()), now);
                    if (receive != null) {
                        return receive;
                    }
                } else if (limit.becomesExhausted()) {
                    unlocked(downstream.whenMemoryIsExhausted());
                } else {
                    poller.await(closed, now);
                }
            }
            return null;
        } finally {
            waiting--;
            wakeForPermits();
            lock.unlock();
        }
    }

    private void askGates(Poller poller, long now) throws InterruptedException {
        Gates.Ask ask = gates.begin(now);
        Gates.Answer answer = null;
        poller.asksGates();
        lock.unlock();
        try {
            answer = gates.ask(ask, poller);
        } finally {
            lock.lock();
            poller.works();
            Runnable log =
                    gates.end(ask, answer, those(each -> each.equals(poller) || each.waitsForGate()), time.nanos());
            wakeAll(); // those that wait for the answer
            unlocked(log);
        }
    }

    private void unlocked(Runnable action) {
        lock.unlock();
        try {
            action.run();
        } finally {
            lock.lock();
        }
    }

    /** Permits or memory may have returned, or messages were settled, so that the limit may rise before their deletes return permits. */
    public void freed() {
        if (waiting > 0) {
            locked(() -> {
                decisions.adaptLimit(time.nanos());
                wakeForPermits();
            });
        }
    }

    private void wakeForPermits() {
        for (Poller poller : pollers) {
            if (poller.waitsForPermits()) {
                if (decisions.hasNewRoom(poller)) {
                    poller.wake();
                }
                return;
            }
        }
    }

    private void wakeAll() {
        pollers.forEach(Poller::wake);
    }

    /** Ends a poller, and returns the permits of a receive that threw before it passed them on. */
    private void retire(Poller poller) {
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
     * Receives nothing more until {@link #start}, and hands nothing over any more when it returns.
     *
     * <p>A poller that waits ends at once. One whose receive is open gets the grace to come back with what SQS has sent
     * already, or 100 ms if all open receives have been open for 2 s; then the receive is aborted. One that ignores its
     * interrupt is abandoned after the grace has passed once more. Messages that SQS gave to an aborted or an abandoned receive
     * come back by their visibility timeout. For an interrupted caller there is no grace.
     */
    public void pause(Duration grace) {
        halt(grace, false);
    }

    /** Ends polling for good, as {@link #pause} does, and in the same time: at most twice the grace. */
    public void stop(Duration grace) {
        halt(grace, true);
    }

    private void halt(Duration grace, boolean forGood) {
        int permits;
        List<Poller> receiving;
        List<Poller> asking;
        lock.lock();
        try {
            polling = false;
            stopped |= forGood;
            pollers.forEach(Poller::halt);
            boolean interrupted =
                    Thread.interrupted() || interruptedWhilePollersEnd(isIdle(grace) ? RESPONSE_TIME : grace);
            pollers.forEach(Poller::abortReceive);
            if (interrupted || interruptedWhilePollersEnd(grace)) {
                Thread.currentThread().interrupt();
            }
            receiving = those(poller -> poller.open() != null);
            asking = those(Poller::asking);
            permits = pollers.stream().mapToInt(Poller::takePermits).sum();
            pollers.clear();
        } finally {
            lock.unlock();
        }
        limit.release(permits);
        if (!receiving.isEmpty()) {
            log.warn(
                    "Listener {}: receives from {} do not end by their interrupt ({}); what they still bring comes back by its"
                            + " visibility timeout",
                    source.listener(),
                    source.name(),
                    receiving);
        }
        if (!asking.isEmpty()) {
            log.warn(
                    "Listener {}: gates do not return when their thread is interrupted ({}); let ReceiveGate.check return at"
                            + " once, or throw the InterruptedException",
                    source.listener(),
                    asking);
        }
    }

    /** Whether all receives wait on an empty queue; not asked without a grace, when the clock may fail. */
    private boolean isIdle(Duration grace) {
        return grace.compareTo(RESPONSE_TIME) > 0 && pollers.stream().allMatch(poller -> poller.isIdle(time.nanos()));
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

    /** Changes the number of pollers. */
    public void change(ListenerOptions current) {
        locked(() -> {
            decisions.setPollers(current.pollers().min(), current.pollers().max());
            startMissing();
            wakeAll(); // one that waits may be one too many
        });
    }

    /** A number of {@link Downstream} has changed. */
    public void changedDownstream() {
        locked(() -> {
            decisions.adaptLimit(time.nanos());
            wakeAll();
        });
    }

    // ---- the end of a receive

    /**
     * Ends a receive that succeeded.
     *
     * @param age how long ago SQS accepted its last message, in nanoseconds
     * @return the permits that it held, which are the caller's now; 0 if a halt has not waited for it
     */
    int endSucceeded(Poller poller, OpenReceive receive, int messages, long took, long age) {
        return locked(() -> {
            poller.works();
            long now = time.nanos();
            poller.succeeded(receive, messages, took, now);
            decisions.succeeded(messages, receive.asked(), poller.bounded(), took, age, now);
            return poller.takePermits();
        });
    }

    /** Ends a receive that failed. Returns whether that matters: how one fails that a halt has aborted does not. */
    boolean endFailed(Poller poller, int asked) {
        limit.release(locked(() -> {
            poller.works();
            decisions.rateLimit.returnTokens(asked);
            return poller.takePermits();
        }));
        return !locked(poller::halted);
    }

    /** Publishes a failure that is logged: whoever sees it finds it in the log. */
    void publish(Poller poller, Throwable e, ReceiveFailure failure, long calledAt, long now) {
        locked(() -> {
            if (!poller.halted()) {
                // Silence was a pause already
                Duration unused = poller.failed(e, SqsErrors.isSilence(failure.code()) ? calledAt : now);
                decisions.failed(poller, failure, calledAt - gates.closedNanos(now));
            }
        });
    }

    // ---- questions

    /** Returns how many pollers run. */
    public int pollers() {
        return locked(pollers::size);
    }

    /** Returns how many pollers wait before their next receive. */
    public int blockedPollers() {
        return locked(() -> those(poller -> poller.waitsFor() != null).size());
    }

    /** Returns why the listener receives nothing; {@code null} if a receive is open or its messages are handed over. */
    public @Nullable ReceiveWait waitsFor() {
        return locked(() -> {
            long now = time.nanos();
            ReceiveWait gate = gates.waiting(now);
            if (gate != null
                    || pollers.isEmpty()
                    || !those(each -> each.waitsFor() == null).isEmpty()) {
                return gate;
            }
            Poller first = pollers.stream()
                    .min(Comparator.comparingLong(each -> each.waitsSince() - now))
                    .orElseThrow();
            return first.waiting(Objects.requireNonNull(first.waitsFor()), now);
        });
    }

    /**
     * Returns for how long every receive has failed; zero if the last one succeeded. The time during which gates keep the listener from
     * receiving does not count.
     */
    public Duration failingFor() {
        return locked(() -> {
            long now = time.nanos();
            return decisions.outage.failingFor(now - gates.closedNanos(now));
        });
    }

    /** Returns how the last receive failed; {@code null} if it succeeded. */
    public @Nullable ReceiveFailure failure() {
        return locked(decisions.outage::failure);
    }

    /** Starts a further poller if all are late, and logs a gate that does not respond; the owner's timer calls it every few seconds. */
    public void tick() {
        Runnable unanswered = locked(() -> {
            startMissing();
            return gates.recordUnanswered(time.nanos());
        });
        unanswered.run();
    }

    private void locked(Runnable action) {
        Locked.run(lock, action);
    }

    private <T extends @Nullable Object> T locked(Supplier<T> question) {
        return Locked.get(lock, question);
    }
}
