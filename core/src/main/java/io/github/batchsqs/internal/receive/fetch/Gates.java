/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import io.github.batchsqs.internal.receive.fetch.GateChecks.Answer;
import io.github.batchsqs.internal.receive.fetch.GateChecks.Ask;
import io.github.batchsqs.internal.receive.fetch.GateChecks.Failure;
import io.github.batchsqs.internal.receive.fetch.GateChecks.Gate;
import io.github.batchsqs.internal.receive.fetch.GateChecks.Refusal;
import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.OncePerMinute;
import io.github.batchsqs.internal.support.SafeLog;
import io.github.batchsqs.internal.support.Words;
import io.github.batchsqs.listener.ReceiveGate;
import io.github.batchsqs.listener.ReceiveWait;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * The gates of a listener, which are asked before each receive. When one refuses, the gates are closed for all pollers; after the wait,
 * one poller asks as the probe, and the others wait for its answer.
 *
 * <p>The answers belong to the {@link Valve}'s lock; the gates themselves are asked without it, see {@link #ask}. A poller waits with nothing in
 * its hands.
 */
public final class Gates implements Reason {

    private static final SafeLog log = new SafeLog(LoggerFactory.getLogger(Fetcher.class));

    /** A poller that has waited for an answer for this long is reported. */
    static final Duration UNANSWERED = Duration.ofSeconds(5);

    private final String listener;
    private final GateChecks checks;
    private final OncePerMinute line;
    private final Set<Ask> asks = new LinkedHashSet<>();
    private @Nullable Ask probe;
    private @Nullable Refused refused;
    private long closedBefore;

    /**
     * From the first refusal to the first permission.
     *
     * @param failure the gate that has failed in the last round, and since when a gate has failed in each; {@code null} if none
     */
    private record Refused(Refusal refusal, @Nullable Failure failure, long since, long until, boolean logged) {}

    /**
     * Creates the gates of a listener; nobody is asked yet.
     *
     * @param gates the gates by their names, none perhaps
     */
    public Gates(String listener, Map<String, ReceiveGate> gates, TimeSource time) {
        this.listener = listener;
        this.line = new OncePerMinute(time);
        this.checks = new GateChecks(listener, gates, time);
    }

    /** Returns whether the poller has to ask the gates before it receives. */
    boolean mustAsk(Poller poller, long now) {
        return !checks.none() && !poller.isPermitted(now);
    }

    @Override
    public int atMost(Poller poller, int wanted) {
        return Math.min(wanted, poller.permitted());
    }

    @Override
    public @Nullable Closed closed(Poller poller, int wanted, long now) {
        Refused wait = refused;
        if (wait == null || (probe == null && wait.until() - now <= 0)) {
            return null;
        }
        String detail = wait.refusal().gate() + ": " + wait.refusal().reason();
        return new Closed(ReceiveWait.GATE, detail, probe == null ? wait.until() - now : Closed.UNTIL_CHANGED);
    }

    /** Begins to ask, for a poller that none of the reasons keeps from that. */
    Ask begin(long now) {
        Ask ask = new Ask(now);
        asks.add(ask);
        if (refused != null) {
            probe = ask;
        }
        return ask;
    }

    /** Asks all gates, without a lock. */
    Answer ask(Ask ask, Poller poller) throws InterruptedException {
        return checks.askAll(ask, poller::halted);
    }

    /**
     * Takes the answer: a permission is the poller's, a refusal closes the gates.
     *
     * @param answer {@code null} if there is none, because the poller is to end
     * @return what logs a change, without a lock
     */
    Runnable end(Ask ask, @Nullable Answer answer, Poller poller, long now) {
        boolean probed = probe == ask;
        Refused before = refused;
        probe = probed ? null : probe;
        if (!asks.remove(ask) || answer == null) {
            return Gates::nothing; // what it asked for is over
        }
        Refusal refusal = answer.refusal();
        if (refusal == null) {
            if (before != null && !probed) {
                return Gates::nothing; // the gates have closed meanwhile
            }
            poller.permitted(answer.messages(), now);
            open(now);
            return before == null || !before.logged() ? Gates::nothing : () -> logOpen(before, now);
        }
        long until = now + refusal.duration().toNanos();
        if (before != null && !probed && before.until() - until >= 0) {
            return Gates::nothing;
        }
        boolean logged = before != null && before.logged();
        boolean logs = !logged && !isOf(answer.failure(), refusal) && line.due();
        refused = new Refused(
                refusal,
                failure(answer.failure(), before, probed),
                before == null ? now : before.since(),
                until,
                logs || logged);
        return logs ? () -> logClosed(refusal) : Gates::nothing;
    }

    private void open(long now) {
        closedBefore = closedNanos(now);
        refused = null;
    }

    /** Returns for how many nanoseconds the gates have been closed so far, all closures together. */
    long closedNanos(long now) {
        Refused wait = refused;
        return wait == null ? closedBefore : closedBefore + now - wait.since();
    }

    /** A gate fails on as long as one fails in each round of the probe. */
    private static @Nullable Failure failure(@Nullable Failure latest, @Nullable Refused before, boolean probed) {
        Failure first = before == null ? null : before.failure();
        if (latest == null) {
            return probed ? null : first;
        }
        return first == null ? latest : new Failure(latest.gate(), latest.reason(), first.since());
    }

    private static boolean isOf(@Nullable Failure failure, Refusal refusal) {
        return failure != null && failure.gate().equals(refusal.gate());
    }

    private void logClosed(Refusal refusal) {
        log.info(
                "Listener {}: receives nothing while the gate {} keeps it waiting: {}",
                listener,
                refusal.gate(),
                refusal.reason());
    }

    private void logOpen(Refused before, long now) {
        log.info(
                "Listener {}: receives again, after {} of waiting for the gate {}",
                listener,
                Words.measured(Duration.ofNanos(now - before.since())),
                before.refusal().gate());
    }

    /** Forgets all answers, also those to come: the gates are asked anew. */
    void reset(long now) {
        open(now);
        probe = null;
        asks.clear();
    }

    /**
     * Returns how the gates keep the listener from receiving, or {@code null} if they do not.
     *
     * @param pollers how many pollers there are
     */
    @Nullable
    ReceiveWait waiting(int pollers, long now) {
        Ask stuck = unanswered(now, pollers);
        Refused wait = refused;
        Failure failure = wait == null ? null : wait.failure();
        Duration failingFor = failure == null ? Duration.ZERO : Duration.ofNanos(now - failure.since());
        Duration waitingFor = wait == null ? Duration.ZERO : Duration.ofNanos(now - wait.since());
        Gate late = stuck == null ? null : stuck.gate();
        if (stuck != null && late != null) {
            Duration age = Duration.ofNanos(now - stuck.since());
            return new ReceiveWait(
                    ReceiveWait.GATE,
                    late.name() + ": it has not responded",
                    wait == null ? age : waitingFor,
                    Duration.ZERO,
                    failure == null ? age : failingFor);
        }
        return wait == null
                ? null
                : new ReceiveWait(
                        ReceiveWait.GATE,
                        wait.refusal().gate() + ": " + reason(wait.refusal(), failure),
                        waitingFor,
                        Duration.ofNanos(Math.max(0, wait.until() - now)),
                        failingFor);
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

    /** Records a gate that does not respond. Returns what logs it, without a lock. */
    Runnable recordUnanswered(long now) {
        Gate gate = null;
        Duration age = Duration.ZERO;
        int news = 0;
        for (Ask ask : asks) {
            Gate late = ask.gate();
            if (late != null && isLate(ask, now)) {
                age = gate == null ? Duration.ofNanos(now - ask.since()) : age;
                gate = gate == null ? late : gate;
                news += ask.report(late) ? 1 : 0;
            }
        }
        if (gate == null) {
            return Gates::nothing;
        }
        Gate stuck = gate;
        int calls = news;
        Duration longest = age;
        return () -> stuck.outages()
                .failed(
                        "NoResponse",
                        "it has not responded for " + Check.text(longest.truncatedTo(ChronoUnit.SECONDS))
                                + "; it should return at once",
                        calls,
                        longest);
    }

    private static void nothing() {}
}
