/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.fetch;

import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.Collection;

/** How long open receives may take to return by themselves when a halt begins. */
final class ReceiveGrace {

    /** Time for a response that is on its way: half of the slowest round trip that is supported well, and a margin. */
    private static final Duration RESPONSE_TIME = Duration.ofMillis(100);

    private ReceiveGrace() {}

    /**
     * Returns how long the pollers get to end by themselves. A receive that has been open for the whole grace waits on an empty
     * queue: it gets only the time of a response that SQS has sent already.
     */
    static Duration left(Duration grace, Collection<Poller> pollers, TimeSource time) {
        if (grace.isZero()) {
            return grace; // also where the clock fails
        }
        long now = time.nanos();
        Duration longest = Duration.ZERO;
        for (Poller poller : pollers) {
            Duration left = grace.minus(poller.openFor(now));
            longest = left.compareTo(longest) > 0 ? left : longest;
        }
        Duration least = grace.compareTo(RESPONSE_TIME) < 0 ? grace : RESPONSE_TIME;
        return longest.compareTo(least) > 0 ? longest : least;
    }
}
