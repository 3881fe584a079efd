/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import io.github.batchsqs.time.TimeSource;
import java.time.Duration;
import java.util.Collection;
import java.util.stream.Stream;

/** How long open receives may take to return by themselves when a halt begins. */
final class ReceiveGrace {

    /**
     * A receive that has been open for this long waits on an empty queue. One that brings messages takes less, also if it was retried after a
     * throttle or brings large ones; an idle poll of 20 s is nine times in ten older.
     */
    private static final Duration IDLE_AFTER = Duration.ofSeconds(2);

    /** Time for a response that is on its way: half of the slowest round trip that is supported well, and a margin. */
    private static final Duration RESPONSE_TIME = Duration.ofMillis(100);

    private ReceiveGrace() {}

    /**
     * Returns how long the pollers get to end by themselves: the grace, or, if all of their receives wait on an empty queue, only the time
     * of a response that SQS has sent already.
     */
    static Duration left(Duration grace, Collection<Poller> pollers, TimeSource time) {
        if (grace.isZero()) {
            return grace; // also where the clock fails
        }
        long now = time.nanos();
        return left(grace, pollers.stream().map(poller -> poller.openFor(now)));
    }

    static Duration left(Duration grace, Stream<Duration> openFor) {
        boolean idle = grace.compareTo(RESPONSE_TIME) > 0 && openFor.allMatch(open -> open.compareTo(IDLE_AFTER) >= 0);
        return idle ? RESPONSE_TIME : grace;
    }
}
