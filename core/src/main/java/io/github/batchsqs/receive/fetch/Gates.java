/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.fetch;

import io.github.batchsqs.listener.GateWait;
import io.github.batchsqs.listener.ReceiveGate;
import io.github.batchsqs.receive.fetch.GateChecks.Answer;
import io.github.batchsqs.receive.fetch.GateChecks.Ask;
import io.github.batchsqs.receive.fetch.GateChecks.Failure;
import io.github.batchsqs.receive.fetch.GateChecks.Gate;
import io.github.batchsqs.receive.fetch.GateChecks.Refusal;
import io.github.batchsqs.support.Check;
import io.github.batchsqs.support.OncePerMinute;
import io.github.batchsqs.support.SafeLog;
import io.github.batchsqs.support.Words;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks the gates of a listener before each receive. When one refuses, the gates are closed for all pollers; after the wait,
 * one poller asks as the probe, and the others wait for its answer.
 *
 * <p>A poller waits here with nothing in its hands; its interrupt ends the wait. The lock is its own, and no gate is asked with
 * it held. Safe for use by any thread.
 */
public final class Gates {

    /** The maximum of gates that have none. */
    static final int UNBOUNDED = Integer.MAX_VALUE;

    /** A poller that has waited for an answer for this long is reported. */
    static final Duration UNANSWERED = Duration.ofSeconds(5);

    private final String listener;
    private final GateChecks checks;
    private final TimeSource time;
    private final OncePerMinute line;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final AtomicLong wakes = new AtomicLong();
    private final Set<Ask> asks = new LinkedHashSet<>();
    private @Nullable Ask probe;
    private volatile @Nullable Closed closed;
    private long closedBefore;

    /**
     * From the first refusal to the first permission.
     *
     * @param failure the gate that has failed in the last round, and since when a gate has failed in each; {@code null} if none
     */
    private record Closed(Refusal refusal, @Nullable Failure failure, long since, long until, boolean logged) {}

    /**
     * Creates the gates of a listener; nobody is asked yet.
     *
     * @param gates the gates by their names, none perhaps
     */
    public Gates(String listener, Map<String, ReceiveGate> gates, TimeSource time) {
        this.listener = listener;
        this.time = time;
        this.line = new OncePerMinute(time);
        this.checks = new GateChecks(listener, gates, time);
    }

    /** Returns whether there are none. */
    boolean none() {
        return checks.none();
    }

    /** Returns for how many nanoseconds the gates have been closed so far, all closures together. */
    long closedNanos() {
        lock.lock();
        try {
            Closed wait = closed;
            return wait == null ? closedBefore : closedBefore + time.nanos() - wait.since();
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether a poller asks a gate right now. */
    boolean asking() {
        lock.lock();
        try {
            return !asks.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Returns how often pollers have been sent back by {@link #wake}. */
    long wakes() {
        return wakes.get();
    }

    /**
     * Waits while the gates are closed, then asks them.
     *
     * @param seen the {@link #wakes} before the poller looked whether it is still needed
     * @param halted whether the calling poller is to end
     * @return the maximum number of messages, {@link #UNBOUNDED} perhaps; 0 if the gates have closed, or after a {@link #wake}
     */
    int admit(long seen, BooleanSupplier halted) throws InterruptedException {
        Ask ask = awaitTurn(seen);
        return ask == null ? 0 : ask(ask, halted);
    }

    /** As {@link #admit}, without waiting. */
    int admitNow() throws InterruptedException {
        Ask ask;
        lock.lock();
        try {
            ask = mayAsk() ? begin() : null;
        } finally {
            lock.unlock();
        }
        return ask == null ? 0 : ask(ask, () -> false);
    }

    private @Nullable Ask awaitTurn(long seen) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!mayAsk()) {
                if (wakes.get() != seen) {
                    return null;
                }
                long left = left(time.nanos());
                if (left > 0) {
                    long ignored = changed.awaitNanos(left);
                } else {
                    changed.await();
                }
            }
            return begin();
        } finally {
            lock.unlock();
        }
    }

    private boolean mayAsk() {
        return closed == null || (probe == null && left(time.nanos()) <= 0);
    }

    private long left(long now) {
        Closed wait = closed;
        return wait == null ? 0 : wait.until() - now;
    }

    private Ask begin() {
        Ask ask = new Ask(time.nanos());
        asks.add(ask);
        if (closed != null) {
            probe = ask;
        }
        return ask;
    }

    private int ask(Ask ask, BooleanSupplier halted) throws InterruptedException {
        Answer answer = null;
        try {
            answer = checks.askAll(ask, halted);
        } finally {
            if (answer == null) {
                lock.lock();
                try {
                    boolean ignored = end(ask);
                } finally {
                    lock.unlock();
                }
            }
        }
        return answered(ask, answer);
    }

    private int answered(Ask ask, Answer answer) {
        Refusal refusal = answer.refusal();
        Closed before;
        boolean log = false;
        lock.lock();
        try {
            boolean probed = probe == ask;
            before = closed;
            if (!end(ask) || (refusal == null && before != null && !probed)) {
                return 0; // what it asked for is over, or the gates have closed meanwhile
            }
            if (refusal == null) {
                open();
            } else if (before == null || probed || before.until() - until(refusal) < 0) {
                log = (before == null || !before.logged()) && !isOf(answer.failure(), refusal) && line.due();
                closed = new Closed(
                        refusal,
                        failure(answer.failure(), before, probed),
                        before == null ? time.nanos() : before.since(),
                        until(refusal),
                        log || (before != null && before.logged()));
            }
        } finally {
            lock.unlock();
        }
        log(before, refusal, log);
        return refusal == null ? answer.messages() : 0;
    }

    private void open() {
        Closed before = closed;
        if (before != null) {
            closedBefore += time.nanos() - before.since();
            closed = null;
        }
    }

    /** A gate fails on as long as one fails in each round of the probe. */
    private static @Nullable Failure failure(@Nullable Failure latest, @Nullable Closed before, boolean probed) {
        Failure first = before == null ? null : before.failure();
        if (latest == null) {
            return probed ? null : first;
        }
        return first == null ? latest : new Failure(latest.gate(), latest.reason(), first.since());
    }

    private static boolean isOf(@Nullable Failure failure, Refusal refusal) {
        return failure != null && failure.gate().equals(refusal.gate());
    }

    private long until(Refusal refusal) {
        return time.nanos() + refusal.duration().toNanos();
    }

    /** Returns whether the ask was under way, rather than ended by a {@link #reset}. */
    private boolean end(Ask ask) {
        if (probe == ask) {
            probe = null;
        }
        changed.signalAll();
        return asks.remove(ask);
    }

    private void log(@Nullable Closed before, @Nullable Refusal refusal, boolean closes) {
        if (closes && refusal != null) {
            new SafeLog(Fetcher.log)
                    .info(
                            "Listener {}: receives nothing while the gate {} keeps it waiting: {}",
                            listener,
                            refusal.gate(),
                            refusal.reason());
        } else if (refusal == null && before != null && before.logged()) {
            new SafeLog(Fetcher.log)
                    .info(
                            "Listener {}: receives again, after {} of waiting for the gate {}",
                            listener,
                            Words.measured(Duration.ofNanos(time.nanos() - before.since())),
                            before.refusal().gate());
        }
    }

    /** Sends all pollers that wait here back to where they look whether they are still needed. */
    void wake() {
        lock.lock();
        try {
            long ignored = wakes.incrementAndGet();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Forgets all answers, also those to come: the gates are asked anew. */
    void reset() {
        lock.lock();
        try {
            open();
            probe = null;
            asks.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns what keeps the listener from receiving, or {@code null} if nothing does.
     *
     * @param pollers how many pollers there are
     */
    @Nullable
    GateWait waiting(int pollers) {
        lock.lock();
        try {
            long now = time.nanos();
            Ask stuck = unanswered(now, pollers);
            Closed wait = closed;
            Failure failure = wait == null ? null : wait.failure();
            Duration failingFor = failure == null ? Duration.ZERO : Duration.ofNanos(now - failure.since());
            Duration waitingFor = wait == null ? Duration.ZERO : Duration.ofNanos(now - wait.since());
            Gate late = stuck == null ? null : stuck.gate();
            if (stuck != null && late != null) {
                Duration age = Duration.ofNanos(now - stuck.since());
                return new GateWait(
                        late.name(),
                        "it has not responded",
                        wait == null ? age : waitingFor,
                        Duration.ZERO,
                        failure == null ? age : failingFor);
            }
            return wait == null
                    ? null
                    : new GateWait(
                            wait.refusal().gate(),
                            reason(wait.refusal(), failure),
                            waitingFor,
                            Duration.ofNanos(Math.max(0, wait.until() - now)),
                            failingFor);
        } finally {
            lock.unlock();
        }
    }

    private static String reason(Refusal refusal, @Nullable Failure failure) {
        return failure == null || isOf(failure, refusal)
                ? refusal.reason()
                : refusal.reason() + "; " + failure.gate() + ": " + failure.reason();
    }

    /** Returns the probe or, if all pollers ask, one of them, when each of them has waited for too long; else {@code null}. */
    private @Nullable Ask unanswered(long now, int pollers) {
        Ask only = probe;
        if (only != null) {
            return isLate(only, now) ? only : null;
        }
        List<Ask> late = asks.stream().filter(ask -> isLate(ask, now)).toList();
        return late.isEmpty() || late.size() < pollers ? null : late.getFirst();
    }

    private static boolean isLate(Ask ask, long now) {
        return now - ask.since() >= UNANSWERED.toNanos();
    }

    /** Logs a gate that does not respond; the owner's timer calls it every few seconds. */
    void recordUnanswered() {
        if (none()) {
            return;
        }
        Gate gate = null;
        Duration age = Duration.ZERO;
        int news = 0;
        lock.lock();
        try {
            long now = time.nanos();
            for (Ask ask : asks) {
                Gate late = ask.gate();
                if (late != null && isLate(ask, now)) {
                    age = gate == null ? Duration.ofNanos(now - ask.since()) : age;
                    gate = gate == null ? late : gate;
                    news += ask.report(late) ? 1 : 0;
                }
            }
        } finally {
            lock.unlock();
        }
        if (gate != null) {
            gate.outages()
                    .failed(
                            "NoResponse",
                            "it has not responded for " + Check.text(age.truncatedTo(ChronoUnit.SECONDS))
                                    + "; it should return at once",
                            news,
                            age);
        }
    }
}
