/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import io.github.batchsqs.internal.receive.delivery.InFlightLedger;
import io.github.batchsqs.internal.receive.delivery.InFlightLimit;
import io.github.batchsqs.internal.receive.delivery.ListenerQueue;
import io.github.batchsqs.internal.support.SqsLimits;
import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.listener.ReceiveFailure;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Everything that the {@link Valve} decides: who may receive when, how many pollers there are, and how many messages may be in
 * flight. No thread, no clock of its own; belongs to the valve's lock.
 */
final class PollingDecisions {

    private final ListenerQueue source;
    private final InFlightLimit limit;
    private final InFlightLedger ledger;
    private final Downstream downstream;
    private final PollerScaler scaler;
    private final AutoPrefetch autoPrefetch;
    private final boolean automatic;
    final ReceiveOutage outage = new ReceiveOutage();
    final RateLimit rateLimit;
    private final ReceiveSpacing spacing;

    private final Permits permits;

    /** All reasons not to receive; the first that keeps a poller waiting is shown. */
    private final List<Reason> reasons;

    PollingDecisions(
            ListenerQueue source,
            InFlightLimit limit,
            InFlightLedger ledger,
            Gates gates,
            Downstream downstream,
            long now) {
        this.source = source;
        this.limit = limit;
        this.ledger = ledger;
        this.downstream = downstream;
        ListenerOptions options = source.options();
        ListenerOptions.Pollers bounds = options.pollers();
        this.scaler = new PollerScaler(
                bounds.min(), bounds.max(), bounds.minInterval().isPositive());
        this.spacing = new ReceiveSpacing(spaces(bounds.min(), bounds.max()), now);
        this.autoPrefetch = new AutoPrefetch(bounds.max(), now);
        this.automatic = options.prefetch() == ListenerOptions.AUTO_PREFETCH;
        this.rateLimit = new RateLimit(options.rateLimit() > 0 ? options.rateLimit() : RateLimit.NONE, now);
        this.permits = new Permits(limit);
        this.reasons = List.of(
                (poller, asks, at) -> poller.pauses(at),
                (poller, asks, at) -> executorRefuses(at),
                spacing,
                gates,
                permits,
                rateLimit);
        adaptLimit(now);
    }

    /** A fixed number of pollers, a minimum interval, and the order of a FIFO queue's groups come before fewer calls. */
    private boolean spaces(int min, int max) {
        return min < max
                && source.options().pollers().minInterval().isZero()
                && !source.queue().fifo();
    }

    /** How many pollers there should be. */
    int pollers() {
        return scaler.pollers();
    }

    void setPollers(int min, int max) {
        int unused = scaler.setBounds(min, max);
        spacing.setEnabled(spaces(min, max));
        autoPrefetch.setMaxPollers(max);
    }

    private @Nullable Closed executorRefuses(long now) {
        long left = downstream.refusesUntil().getAsLong() - now;
        return left <= 0 ? null : new Closed("executor", "the executor refuses batches", left);
    }

    /**
     * Sets the in-flight limit: the messages that invocations run, and those that wait for one, a fixed number or one
     * that follows the rate of this moment. That one leaves as much room beside the messages that wait for a retry as
     * without them.
     */
    void adaptLimit(long now) {
        ListenerOptions options = source.options();
        int running = (int)
                Math.min(Integer.MAX_VALUE / 2, (long) downstream.concurrency().getAsInt() * options.batchSize());
        int most = automatic ? autoPrefetch.max() : options.prefetch();
        int ready = automatic
                ? downstream.delayed().getAsInt() + autoPrefetch.target(now, scaler.roundTrip(), ledger.settledSoFar())
                : most;
        limit.setLimit(running + Math.min(ready, most), running + most);
    }

    /** Whether so many pollers could find permits at all, and memory; adapted to the rate, there are always enough permits. */
    private boolean feeds(int pollers) {
        boolean permits = automatic || pollers * SqsLimits.MAX_PER_CALL <= limit.limit();
        return permits && (pollers - 1L) * SqsLimits.MAX_PER_CALL < limit.mostInMemory();
    }

    /**
     * Returns why the poller must not receive now; {@code null} if it may. Retires one if there are more pollers than the rate
     * needs.
     */
    @Nullable
    Closed closed(Poller poller, long now) {
        int asks = asks(poller);
        for (Reason reason : reasons) {
            Closed closed = reason.closed(poller, asks, now);
            if (closed != null) {
                if (reason == spacing && spacing.isSurplus(poller)) {
                    scaler.retireOne();
                }
                return closed;
            }
        }
        return null;
    }

    /** Returns whether a poller that waits for room has another answer now than the one for which it waits. */
    boolean hasNewRoom(Poller poller) {
        return !Objects.equals(poller.waitsFor(), permits.closed(poller, asks(poller), 0));
    }

    /** Returns for how many messages the poller asks: as many as the gates have let it, and the rate limit allows at once. */
    private int asks(Poller poller) {
        return Math.min(SqsLimits.MAX_PER_CALL, Math.min(poller.permitted(), rateLimit.max()));
    }

    /**
     * Begins a receive of a poller that may receive.
     *
     * @param probes whether another receive is late, so that this one is to show soon whether SQS responds
     * @return the receive; {@code null} if another listener took the memory meanwhile
     */
    @Nullable
    OpenReceive begin(Poller poller, boolean probes, long now) {
        int permits = limit.tryAcquire(asks(poller));
        if (permits == 0) {
            return null;
        }
        spacing.begin(poller, now);
        rateLimit.take(permits);
        Duration waitTime = outage.waitTime(source.options().waitTime(), probes);
        OpenReceive receive = new OpenReceive(now, waitTime, permits);
        poller.receives(receive);
        return receive;
    }

    /** A poller has ended. */
    void retired(Poller poller) {
        spacing.retired(poller);
    }

    /**
     * A receive succeeded.
     *
     * @param bounded whether gates have limited what it asked for: more pollers would get round that
     * @param age how long ago SQS accepted the last of its messages, in nanoseconds
     */
    void succeeded(int messages, int asked, boolean bounded, long took, long age, long now) {
        spacing.succeeded(messages, asked, age, scaler.roundTrip(), now);
        boolean room = !bounded && feeds(scaler.pollers() + 1);
        int unused = scaler.succeeded(messages, asked, took, age, room && !spacing.mayBeChance(now));
        if (messages > 0 && room && spacing.isBehind()) {
            scaler.bringBackOne();
        }
        rateLimit.returnTokens(asked - messages);
        outage.received(messages, now);
        outage.succeeded();
    }

    /**
     * A receive failed. If the one before failed too, there is a poller too many, so that an outage costs about a call a second.
     *
     * @param openAt when it was called, in time during which the gates were open
     */
    void failed(Poller poller, ReceiveFailure how, long openAt) {
        outage.failed(how, openAt);
        if (poller.failures() > 1) {
            scaler.failed();
        }
    }
}
