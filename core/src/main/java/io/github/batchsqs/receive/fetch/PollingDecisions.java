/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.fetch;

import io.github.batchsqs.listener.ListenerOptions;
import io.github.batchsqs.receive.delivery.InFlightLedger;
import io.github.batchsqs.receive.delivery.InFlightLimit;
import io.github.batchsqs.receive.delivery.ListenerQueue;
import io.github.batchsqs.support.SqsLimits;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Everything that the {@link Fetcher} decides: how many pollers there are, how many messages may be in flight, how fast they may
 * come, and who may receive while receives fail. No thread, no clock of its own; belongs to the fetcher's lock.
 */
final class PollingDecisions {

    private final ListenerQueue source;
    private final PollerScaler scaler;
    private final InFlightTarget inFlight;
    private final @Nullable RateLimit rateLimit;
    private final ReceiveOutage outage;
    private final ReceiveSpacing spacing;

    PollingDecisions(ListenerQueue source, InFlightLimit limit, InFlightLedger ledger, long now) {
        this.source = source;
        this.outage = new ReceiveOutage(now);
        ListenerOptions options = source.options();
        ListenerOptions.Pollers bounds = options.pollers();
        this.scaler = new PollerScaler(
                bounds.min(), bounds.max(), bounds.minInterval().isPositive());
        this.spacing = new ReceiveSpacing(spaces(bounds.min(), bounds.max()), now);
        this.inFlight = new InFlightTarget(options, limit, ledger, now);
        this.rateLimit = options.rateLimit() > 0 ? new RateLimit(options.rateLimit(), now) : null;
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
        inFlight.setMaxPollers(max);
    }

    void setRunning(int messages) {
        inFlight.setRunning(messages);
    }

    /** Adapts the in-flight limit to the rate of this moment. */
    void adaptLimit(long now) {
        inFlight.adapt(scaler.roundTrip(), now);
    }

    /** How many permits a receive asks for. */
    int permits() {
        return rateLimit == null ? SqsLimits.MAX_PER_CALL : Math.min(SqsLimits.MAX_PER_CALL, rateLimit.max());
    }

    /** Takes the tokens for so many messages and returns 0, or returns the nanoseconds until they will be there. */
    long takeTokens(int messages, long now) {
        return rateLimit == null ? 0 : rateLimit.take(messages, now);
    }

    /**
     * Begins a poller's next receive and returns 0, or returns the nanoseconds for which it pauses. Retires one if there are more pollers
     * than the rate needs.
     */
    long nextReceive(Poller poller, long now) {
        long pause = poller.memory.pauseNanos(now);
        if (pause > 0) {
            return pause;
        }
        long rest = spacing.begin(poller, now);
        if (rest > 0 && spacing.isSurplus(poller)) {
            scaler.retireOne();
        }
        return rest;
    }

    /** A poller has ended. */
    void retired(Poller poller) {
        spacing.retired(poller);
        boolean unused = outage.retired(poller);
    }

    /**
     * A receive succeeded. Returns whether this ends an outage, and all pollers may go on at once.
     *
     * @param bounded whether gates have limited what it asked for: more pollers would get round that
     * @param age how long ago SQS accepted the last of its messages, in nanoseconds
     */
    boolean succeeded(int messages, int asked, boolean bounded, long took, long age, long now) {
        spacing.succeeded(messages, asked, age, scaler.roundTrip(), now);
        boolean room = !bounded && inFlight.feeds(scaler.pollers() + 1);
        int unused = scaler.succeeded(messages, asked, took, age, room && !spacing.mayBeChance(now));
        if (messages > 0 && room && spacing.isBehind()) {
            scaler.bringBackOne();
        }
        returnTokens(asked - messages);
        return outage.succeeded(now);
    }

    /** A receive is over that brought less than it had tokens for. */
    void returnTokens(int messages) {
        if (rateLimit != null) {
            rateLimit.returnTokens(messages);
        }
    }

    ReceiveOutage outage() {
        return outage;
    }

    /** How long the next receive waits for messages. */
    Duration waitTime() {
        return outage.waitTime(source.options().waitTime());
    }
}
