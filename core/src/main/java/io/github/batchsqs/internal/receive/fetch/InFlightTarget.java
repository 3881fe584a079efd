/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import io.github.batchsqs.internal.receive.delivery.InFlightLedger;
import io.github.batchsqs.internal.receive.delivery.InFlightLimit;
import io.github.batchsqs.internal.support.SqsLimits;
import io.github.batchsqs.listener.ListenerOptions;

/**
 * Sets the in-flight limit: the messages that invocations run, and those that wait for one, a fixed number or one that
 * follows the rate. Belongs to the {@link Valve}'s lock.
 */
final class InFlightTarget {

    private final InFlightLimit limit;
    private final InFlightLedger ledger;
    private final AutoPrefetch autoPrefetch;
    private final boolean automatic;
    private int running;
    private int maxPrefetch;
    private int waiting;

    InFlightTarget(ListenerOptions options, InFlightLimit limit, InFlightLedger ledger, long now) {
        this.limit = limit;
        this.ledger = ledger;
        this.autoPrefetch = new AutoPrefetch(options.pollers().max(), now);
        this.automatic = options.prefetch() == ListenerOptions.AUTO_PREFETCH;
        this.running = running(options);
        this.maxPrefetch = maxPrefetch(options);
        limit.setMax(running + maxPrefetch);
        limit.setLimit(running + (automatic ? SqsLimits.MAX_PER_CALL : options.prefetch()));
    }

    private static int maxPrefetch(ListenerOptions options) {
        return options.prefetch() == ListenerOptions.AUTO_PREFETCH
                ? AutoPrefetch.max(options.pollers().max())
                : options.prefetch();
    }

    /** Returns the maximum number of messages in invocations. */
    static int running(ListenerOptions options) {
        return running(options.concurrency(), options.batchSize());
    }

    /** Returns the same for a number of invocations at once. */
    static int running(int concurrency, int batchSize) {
        return (int) Math.min(Integer.MAX_VALUE / 2, (long) concurrency * batchSize);
    }

    /** Changes the maximum number of messages in invocations. */
    void setRunning(int messages) {
        limit.setLimit(limit.limit() + messages - running);
        running = messages;
        limit.setMax(running + maxPrefetch);
    }

    void setMaxPollers(int pollers) {
        autoPrefetch.setMaxPollers(pollers);
        if (automatic) {
            maxPrefetch = AutoPrefetch.max(pollers);
            limit.setMax(running + maxPrefetch);
        }
    }

    /** So many messages wait here for a retry: an automatic limit leaves as much room for the others as without them. */
    void setWaiting(int messages) {
        waiting = messages;
    }

    /** Adapts it to the rate of this moment. */
    void adapt(long roundTrip, long now) {
        if (automatic) {
            int ready = waiting + autoPrefetch.target(now, roundTrip, ledger.settledSoFar());
            limit.setLimit(running + Math.min(ready, maxPrefetch));
        }
    }

    /** Whether so many pollers could find permits at all, and memory; adapted to the rate, there are always enough permits. */
    boolean feeds(int pollers) {
        boolean permits = automatic || pollers * SqsLimits.MAX_PER_CALL <= limit.limit();
        return permits && limit.memoryFits((pollers - 1) * SqsLimits.MAX_PER_CALL + 1);
    }
}
