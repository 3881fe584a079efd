/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.OncePerMinute;
import io.github.batchsqs.internal.support.OutageLog;
import io.github.batchsqs.internal.support.SafeLog;
import io.github.batchsqs.internal.support.SqsErrors;
import io.github.batchsqs.internal.support.TimeSource;
import io.github.batchsqs.internal.support.Words;
import io.github.batchsqs.listener.ReceiveGate;
import io.github.batchsqs.listener.ReceiveWait;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The gates of a listener, which are asked before each receive, one after another, on the thread of a poller that wants
 * to receive. One poller asks at a time; its answer counts for all that wait for it. A gate that fails refuses for a
 * second, and its failure is the answer of all; else the longest wait wins, else the smallest maximum. When one
 * refuses, the gates are closed for all pollers until the wait is over.
 *
 * <p>The answers belong to the {@link Valve}'s lock; the gates themselves are asked without it, see {@link #ask}. A
 * poller waits with nothing in its hands.
 */
public final class Gates implements Reason {

    private static final Logger slf4j = LoggerFactory.getLogger(Gates.class);
    private static final SafeLog log = new SafeLog(slf4j);

    /** A poller that has waited for an answer for this long is reported. */
    static final Duration UNANSWERED = Duration.ofSeconds(5);

    /** How long a failed gate refuses. */
    static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    private static final String FAILED =
            "the listener receives nothing until it responds, and asks it every " + Check.text(AFTER_FAILURE);

    private final String listener;
    private final List<Gate> gates;
    private final TimeSource time;
    private final OncePerMinute line;
    private @Nullable Ask asking;
    private @Nullable Closure closure;
    private long closedBefore;

    /** A gate of the listener, and the log of its failures. */
    private record Gate(String name, ReceiveGate gate, OutageLog outages) {}

    /**
     * The answer of a gate, or the strictest of all.
     *
     * @param refusesFor how long it refuses; zero if it does not
     * @param messages the maximum number of messages if it does not
     * @param failed whether it has no answer of its own
     * @param askedAt when it was asked
     */
    record Answer(String gate, String reason, Duration refusesFor, int messages, boolean failed, long askedAt) {

        static final Comparator<Answer> STRICTNESS = Comparator.comparing(Answer::failed)
                .thenComparing(Answer::refusesFor)
                .thenComparing(Answer::messages, Comparator.reverseOrder());
    }

    /**
     * From the first refusal to the first permission.
     *
     * @param refusal the last one
     * @param failingSince since when each answer has been a failure, if the last one is
     */
    private record Closure(Answer refusal, long since, long until, long failingSince, boolean logged) {}

    /** A poller that asks, the gate that it asks right now, and since when. */
    static final class Ask {
        private final Thread asker = Thread.currentThread();
        private volatile long since;
        private volatile @Nullable Gate gate;
        private @Nullable Gate reported;

        Ask(long since) {
            this.since = since;
        }

        /** A virtual thread that can run, but perhaps waits for a carrier, which a handler has, says nothing of the gate. */
        private boolean isLate(long now) {
            return gate != null
                    && now - since >= UNANSWERED.toNanos()
                    && !(asker.isVirtual() && asker.getState() == Thread.State.RUNNABLE);
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
                        new OutageLog(slf4j, time, "Listener " + listener + ": the gate " + each.getKey())))
                .toList();
    }

    /** Returns whether the poller has to ask the gates before it receives. */
    boolean mustAsk(Poller poller, long now) {
        return !gates.isEmpty() && !poller.isPermitted(now);
    }

    @Override
    public @Nullable Closed closed(Poller poller, int wanted, long now) {
        Closure closed = closure;
        long left = closed == null ? 0 : closed.until() - now;
        boolean awaitsAnswer = asking != null && (closed != null || !poller.isPermitted(now));
        if (left <= 0 && !awaitsAnswer) {
            return null;
        }
        return new Closed(
                ReceiveWait.GATE,
                closed == null ? "another poller asks the gates" : detail(closed),
                awaitsAnswer ? Closed.UNTIL_CHANGED : left);
    }

    private static String detail(Closure closed) {
        return closed.refusal().gate() + ": " + closed.refusal().reason();
    }

    /** Begins to ask, for a poller that none of the reasons keeps from that. */
    Ask begin(long now) {
        Ask ask = new Ask(now);
        asking = ask;
        return ask;
    }

    /** Asks all gates, without a lock; none further when the poller is to end. Safe for use by any thread. */
    Answer ask(Ask ask, Poller poller) throws InterruptedException {
        Answer strictest = new Answer("", "", Duration.ZERO, Poller.UNBOUNDED, false, 0);
        for (Gate gate : gates) {
            ask.since = time.nanos(); // first, so that the next gate is not taken for one that is late
            ask.gate = gate;
            Answer answer = answer(gate, ask.since, poller);
            strictest = Answer.STRICTNESS.compare(answer, strictest) > 0 ? answer : strictest;
        }
        return strictest;
    }

    /** Asks a gate. Whatever it throws is a refusal, unless the poller is to end. An interrupt is spent with it. */
    private Answer answer(Gate gate, long askedAt, Poller poller) throws InterruptedException {
        ForeignCode.Outcome<ReceiveGate.Permission> outcome =
                ForeignCode.call(() -> Objects.requireNonNull(gate.gate().check(listener), "it returned null"));
        boolean ignored = Thread.interrupted(); // the gate's own, which is not the next one's, or that of a halt
        if (poller.halted()) {
            throw new InterruptedException("The poller is to end");
        }
        Throwable e = outcome.failure();
        if (e != null) {
            gate.outages().failed(e.getClass().getSimpleName(), e.getMessage(), FAILED);
            slf4j.debug("Listener {}: the gate {} fails", listener, gate.name(), e);
            String reason = "it failed with " + e.getClass().getName();
            return new Answer(gate.name(), reason, AFTER_FAILURE, 0, true, askedAt);
        }
        gate.outages().succeeded();
        return switch (Objects.requireNonNull(outcome.value())) {
            case ReceiveGate.Go go -> new Answer(gate.name(), "", Duration.ZERO, go.maxMessages(), false, askedAt);
            case ReceiveGate.Wait wait -> new Answer(gate.name(), wait.reason(), wait.duration(), 0, false, askedAt);
        };
    }

    /**
     * Takes the answer: a permission is the pollers', a refusal closes the gates.
     *
     * @param answer {@code null} if there is none, because the poller is to end
     * @param pollers the one that has asked, and those that wait for the answer
     * @return what logs a change, without a lock
     */
    Runnable end(Ask ask, @Nullable Answer answer, List<Poller> pollers, long now) {
        if (asking != ask) {
            return Gates::nothing; // the gates were reset meanwhile
        }
        asking = null;
        if (answer == null) {
            return Gates::nothing;
        }
        Closure before = closure;
        if (answer.refusesFor().isZero()) {
            pollers.forEach(each -> each.permitted(answer.messages(), now));
            open(now);
            return before == null || !before.logged() ? Gates::nothing : () -> logOpen(before, now);
        }
        boolean logged = before != null && before.logged();
        boolean logs = !logged && !answer.failed() && line.due();
        closure = new Closure(
                answer,
                before == null ? now : before.since(),
                now + answer.refusesFor().toNanos(),
                before != null && before.refusal().failed() ? before.failingSince() : answer.askedAt(),
                logs || logged);
        return logs ? () -> logClosed(answer) : Gates::nothing;
    }

    private void open(long now) {
        closedBefore = closedNanos(now);
        closure = null;
    }

    /** Returns for how many nanoseconds the gates have been closed so far, all closures together. */
    long closedNanos(long now) {
        Closure closed = closure;
        return closed == null ? closedBefore : closedBefore + now - closed.since();
    }

    private void logClosed(Answer refusal) {
        log.info(
                "Listener {}: receives nothing while the gate {} keeps it waiting: {}",
                listener,
                refusal.gate(),
                refusal.reason());
    }

    private void logOpen(Closure before, long now) {
        log.info(
                "Listener {}: receives again, after {} of waiting for the gate {}",
                listener,
                Words.measured(Duration.ofNanos(now - before.since())),
                before.refusal().gate());
    }

    /** Forgets all answers, also those to come: the gates are asked anew. */
    void reset(long now) {
        open(now);
        asking = null;
    }

    /** Returns how the gates keep the listener from receiving, or {@code null} if they do not. */
    @Nullable
    ReceiveWait waiting(long now) {
        Ask stuck = unanswered(now);
        Gate late = stuck == null ? null : stuck.gate;
        Closure closed = closure;
        if (closed == null && (stuck == null || late == null)) {
            return null;
        }
        Duration age = stuck == null ? Duration.ZERO : Duration.ofNanos(now - stuck.since);
        return new ReceiveWait(
                ReceiveWait.GATE,
                late == null ? detail(Objects.requireNonNull(closed)) : late.name() + ": it has not responded",
                closed == null ? age : Duration.ofNanos(now - closed.since()),
                closed == null || late != null ? Duration.ZERO : Duration.ofNanos(Math.max(0, closed.until() - now)),
                closed == null || !closed.refusal().failed() ? age : Duration.ofNanos(now - closed.failingSince()));
    }

    /** Returns what has waited for an answer for too long; {@code null} if nothing has. */
    private @Nullable Ask unanswered(long now) {
        Ask ask = asking;
        return ask != null && ask.isLate(now) ? ask : null;
    }

    /** Records a gate that does not respond, so that no poller receives. Returns what logs it, without a lock. */
    Runnable recordUnanswered(long now) {
        Ask stuck = unanswered(now);
        Gate gate = stuck == null ? null : stuck.gate;
        if (stuck == null || gate == null) {
            return Gates::nothing;
        }
        int news = gate.equals(stuck.reported) ? 0 : 1;
        stuck.reported = gate;
        Duration age = Duration.ofNanos(now - stuck.since);
        return () -> gate.outages()
                .failed(
                        SqsErrors.NO_RESPONSE,
                        "it has not responded for " + Check.text(age.truncatedTo(ChronoUnit.SECONDS))
                                + "; it should return at once",
                        news,
                        age);
    }

    private static void nothing() {}
}
