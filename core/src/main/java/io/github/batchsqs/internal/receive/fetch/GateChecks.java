/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import io.github.batchsqs.internal.support.Check;
import io.github.batchsqs.internal.support.ForeignCode;
import io.github.batchsqs.internal.support.OutageLog;
import io.github.batchsqs.internal.support.SafeThrowable;
import io.github.batchsqs.listener.ReceiveGate;
import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the gates of a listener, one after another, on the thread of the poller that wants to receive. The longest wait and
 * the smallest maximum win; a gate that fails refuses for a second. Safe for use by any thread; holds no lock.
 */
final class GateChecks {

    /** How long a failed gate refuses. */
    static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    private static final String FAILED =
            "the listener receives nothing until it responds, and asks it every " + Check.text(AFTER_FAILURE);

    private static final Logger log = LoggerFactory.getLogger(Fetcher.class);

    private final String listener;
    private final List<Gate> gates;
    private final TimeSource time;

    /** A gate of the listener, and the log of its failures. */
    record Gate(String name, ReceiveGate gate, OutageLog outages) {}

    /** The answer of all gates: the maximum number of messages, or the strictest refusal and, if gates failed, the first failure. */
    record Answer(
            int messages,
            @Nullable Refusal refusal,
            @Nullable Failure failure) {}

    /** A gate refuses. */
    record Refusal(String gate, String reason, Duration duration) {

        boolean isStricterThan(@Nullable Refusal other) {
            return other == null || duration.compareTo(other.duration) > 0;
        }
    }

    /** A gate has failed; it was asked at that time. */
    record Failure(String gate, String reason, long since) {}

    /** A poller that asks, the gate that it asks right now, and since when. */
    static final class Ask {
        private volatile long since;
        private volatile @Nullable Gate gate;
        private @Nullable Gate reported;

        Ask(long since) {
            this.since = since;
        }

        long since() {
            return since;
        }

        @Nullable
        Gate gate() {
            return gate;
        }

        /** The gate has not responded for too long. Returns whether this is news. */
        boolean report(Gate unanswered) {
            boolean news = !unanswered.equals(reported);
            reported = unanswered;
            return news;
        }

        private void begin(Gate next, long now) {
            since = now; // first, so that the next gate is not taken for one that is late
            gate = next;
        }
    }

    GateChecks(String listener, Map<String, ReceiveGate> gates, TimeSource time) {
        this.listener = listener;
        this.time = time;
        this.gates = gates.entrySet().stream()
                .map(each -> new Gate(
                        each.getKey(),
                        each.getValue(),
                        new OutageLog(log, time, "Listener " + listener + ": the gate " + each.getKey())))
                .toList();
    }

    boolean none() {
        return gates.isEmpty();
    }

    /**
     * Asks all gates.
     *
     * @param halted whether the calling poller is to end: it then asks no further gate
     */
    Answer askAll(Ask ask, BooleanSupplier halted) throws InterruptedException {
        int messages = Poller.UNBOUNDED;
        Refusal strictest = null;
        Failure failure = null;
        for (Gate gate : gates) {
            if (halted.getAsBoolean()) {
                throw new InterruptedException("The poller is to end");
            }
            ask.begin(gate, time.nanos());
            Answer answer = answer(gate, ask, halted);
            messages = Math.min(messages, answer.messages());
            Refusal refusal = answer.refusal();
            strictest = refusal != null && refusal.isStricterThan(strictest) ? refusal : strictest;
            failure = failure == null ? answer.failure() : failure;
        }
        return new Answer(messages, strictest, failure);
    }

    /** Asks a gate. Whatever it throws is a refusal, unless the poller is to end. An interrupt is spent with it. */
    private Answer answer(Gate gate, Ask ask, BooleanSupplier halted) throws InterruptedException {
        ForeignCode.Outcome<ReceiveGate.Permission> outcome =
                ForeignCode.call(() -> Objects.requireNonNull(gate.gate().check(listener), "it returned null"));
        boolean ignored = Thread.interrupted(); // the gate's own, which is not the next one's, or that of a halt
        Throwable e = outcome.failure();
        if (e != null) {
            if (halted.getAsBoolean()) {
                throw new InterruptedException("The poller is to end");
            }
            gate.outages().failed(e.getClass().getSimpleName(), SafeThrowable.message(e), FAILED);
            log.debug("Listener {}: the gate {} fails", listener, gate.name(), e);
            String reason = "it failed with " + e.getClass().getName();
            return new Answer(
                    0, new Refusal(gate.name(), reason, AFTER_FAILURE), new Failure(gate.name(), reason, ask.since()));
        }
        gate.outages().succeeded();
        return switch (Objects.requireNonNull(outcome.value())) {
            case ReceiveGate.Go go -> new Answer(go.maxMessages(), null, null);
            case ReceiveGate.Wait wait -> new Answer(0, new Refusal(gate.name(), wait.reason(), wait.duration()), null);
        };
    }
}
