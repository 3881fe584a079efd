/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.fetch;

import io.github.batchsqs.listener.GateWait;
import io.github.batchsqs.listener.ReceiveGate;
import io.github.batchsqs.support.Check;
import io.github.batchsqs.support.OncePerMinute;
import io.github.batchsqs.support.OutageLog;
import io.github.batchsqs.support.SafeLog;
import io.github.batchsqs.support.SafeThrowable;
import io.github.batchsqs.support.SqsLimits;
import io.github.batchsqs.support.Words;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Asks the gates of a listener before each receive. When one refuses, the gates are closed for all pollers; after the wait,
 * one poller asks as the probe, and the others wait for its answer. The longest wait and the smallest maximum win.
 *
 * <p>A poller waits here with nothing in its hands; its interrupt ends the wait. The lock is its own, and no gate is asked with
 * it held. Safe for use by any thread.
 */
public final class Gates {

    /** How long a failed gate refuses. */
    static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    /** A poller that has waited for an answer for this long is reported. */
    static final Duration UNANSWERED = Duration.ofSeconds(5);

    private static final String FAILED =
            "the listener receives nothing until it responds, and asks it every " + Check.text(AFTER_FAILURE);

    private final String listener;
    private final List<Gate> gates;
    private final TimeSource time;
    private final OncePerMinute line;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<Ask> asks = new LinkedHashSet<>();
    private @Nullable Ask probe;
    private volatile @Nullable Closed closed;
    private long wakes;

    /** A gate of the listener, and the log of its failures. */
    private record Gate(String name, ReceiveGate gate, OutageLog outages) {}

    /** The answer of all gates: the maximum number of messages, or the strictest refusal. */
    private record Answer(int messages, @Nullable Refusal refusal) {}

    private record Refusal(String gate, String reason, Duration duration, boolean failed) {

        boolean isStricterThan(@Nullable Refusal other) {
            return other == null || duration.compareTo(other.duration) > 0;
        }
    }

    /** From the first refusal to the first permission. */
    private record Closed(Refusal refusal, long since, long until, long failingSince, boolean logged) {}

    /** A poller that asks, and the gate that it asks right now. */
    private static final class Ask {
        private final long since;
        private volatile @Nullable Gate gate;
        private boolean reported;

        Ask(long since) {
            this.since = since;
        }
    }

    /**
     * Creates the gates of a listener; nobody is asked yet.
     *
     * @param gates the gates by their names, none perhaps
     */
    public Gates(String listener, Map<String, ReceiveGate> gates, TimeSource time) {
        this.listener = listener;
        this.time = time;
        this.line = new OncePerMinute(time);
        this.gates = gates.entrySet().stream()
                .map(each -> new Gate(
                        each.getKey(),
                        each.getValue(),
                        new OutageLog(Fetcher.log, time, "Listener " + listener + ": the gate " + each.getKey())))
                .toList();
    }

    /** Returns whether there are none. */
    boolean none() {
        return gates.isEmpty();
    }

    /** Returns whether a gate keeps the pollers waiting. */
    boolean closed() {
        return closed != null;
    }

    /**
     * Waits while the gates are closed, then asks them.
     *
     * @param halted whether the calling poller is to end
     * @return the maximum number of messages; 0 if the gates have closed, or after a {@link #wake}
     */
    int admit(BooleanSupplier halted) throws InterruptedException {
        Ask ask = awaitTurn();
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

    private @Nullable Ask awaitTurn() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long seen = wakes;
            while (!mayAsk()) {
                long left = left(time.nanos());
                if (left > 0) {
                    long ignored = changed.awaitNanos(left);
                } else {
                    changed.await();
                }
                if (wakes != seen) {
                    return null;
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
            answer = answerOfAll(ask, halted);
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

    private Answer answerOfAll(Ask ask, BooleanSupplier halted) throws InterruptedException {
        int messages = SqsLimits.MAX_PER_CALL;
        Refusal strictest = null;
        for (Gate gate : gates) {
            ask.gate = gate;
            Answer answer = answer(gate, halted);
            messages = Math.min(messages, answer.messages());
            if (answer.refusal() != null && answer.refusal().isStricterThan(strictest)) {
                strictest = answer.refusal();
            }
        }
        return new Answer(messages, strictest);
    }

    /** Asks a gate. Whatever it throws is a refusal, unless the poller is to end. */
    private Answer answer(Gate gate, BooleanSupplier halted) throws InterruptedException {
        try {
            ReceiveGate.Permission permission =
                    Objects.requireNonNull(gate.gate().check(listener), "it returned null");
            gate.outages().succeeded();
            return switch (permission) {
                case ReceiveGate.Go go -> new Answer(go.maxMessages(), null);
                case ReceiveGate.Wait wait ->
                    new Answer(0, new Refusal(gate.name(), wait.reason(), wait.duration(), false));
            };
        } catch (Throwable e) {
            if (halted.getAsBoolean()) {
                throw new InterruptedException("The poller is to end");
            }
            gate.outages().failed(e.getClass().getSimpleName(), SafeThrowable.message(e), FAILED);
            String reason = "it failed with " + e.getClass().getName();
            return new Answer(0, new Refusal(gate.name(), reason, AFTER_FAILURE, true));
        }
    }

    private int answered(Ask ask, Answer answer) {
        Refusal refusal = answer.refusal();
        Closed before;
        boolean log;
        lock.lock();
        try {
            boolean probed = probe == ask;
            before = closed;
            if (!end(ask) || (refusal == null && before != null && !probed)) {
                return 0; // what it asked for is over, or the gates have closed meanwhile
            }
            log = refusal != null && before == null && !refusal.failed() && line.due();
            if (refusal == null) {
                closed = null;
            } else if (before == null || probed || before.until() - until(refusal) < 0) {
                closed = closed(refusal, before, log);
            }
        } finally {
            lock.unlock();
        }
        log(before, refusal, log);
        return refusal == null ? answer.messages() : 0;
    }

    private Closed closed(Refusal refusal, @Nullable Closed before, boolean logged) {
        long now = time.nanos();
        boolean failedBefore = before != null && before.refusal().failed();
        return new Closed(
                refusal,
                before == null ? now : before.since(),
                until(refusal),
                failedBefore && before != null ? before.failingSince() : now,
                before == null ? logged : before.logged());
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
            wakes++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Forgets all answers, also those to come: the gates are asked anew. */
    void reset() {
        lock.lock();
        try {
            closed = null;
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
            Ask oldest = unanswered(now, pollers);
            Closed wait = closed;
            if (oldest != null && oldest.gate != null) {
                Duration age = Duration.ofNanos(now - oldest.since);
                return new GateWait(
                        oldest.gate.name(),
                        "it has not responded",
                        wait == null ? age : Duration.ofNanos(now - wait.since()),
                        Duration.ZERO,
                        age);
            }
            return wait == null
                    ? null
                    : new GateWait(
                            wait.refusal().gate(),
                            wait.refusal().reason(),
                            Duration.ofNanos(now - wait.since()),
                            Duration.ofNanos(Math.max(0, wait.until() - now)),
                            wait.refusal().failed() ? Duration.ofNanos(now - wait.failingSince()) : Duration.ZERO);
        } finally {
            lock.unlock();
        }
    }

    /** Returns the probe or, if all pollers ask, the first of them, when it has waited for too long; else {@code null}. */
    private @Nullable Ask unanswered(long now, int pollers) {
        Iterator<Ask> oldestFirst = asks.iterator();
        Ask oldest = probe != null ? probe : oldestFirst.hasNext() ? oldestFirst.next() : null;
        boolean keepsAll = oldest == probe || asks.size() >= pollers;
        return oldest != null && keepsAll && now - oldest.since >= UNANSWERED.toNanos() ? oldest : null;
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
                if (now - ask.since >= UNANSWERED.toNanos()) {
                    gate = gate == null ? ask.gate : gate;
                    age = age.isZero() ? Duration.ofNanos(now - ask.since) : age;
                    news += ask.reported ? 0 : 1;
                    ask.reported = true;
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
