/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import java.time.Duration;

/**
 * A receive to which SQS has not responded yet.
 *
 * @param calledAt when it was called
 * @param waitTime how long it waits for messages
 * @param asked for how many messages it asks, each with a permit
 */
record OpenReceive(long calledAt, Duration waitTime, int asked) {

    /** A response that takes this long on top of the wait probably does not come any more. */
    private static final Duration LATE = Duration.ofSeconds(1);

    /** While messages arrive steadily, a receive returns long before this. */
    private static final Duration LATE_WHILE_STEADY = Duration.ofSeconds(4);

    /** @param steady whether messages have arrived steadily: then a receive need not wait for its whole time to be late */
    boolean isLate(long now, boolean steady) {
        if (now - calledAt < LATE.toNanos()) {
            return false; // asked for each receive at each receive
        }
        Duration late = waitTime.plus(LATE);
        return now - calledAt >= (steady && late.compareTo(LATE_WHILE_STEADY) > 0 ? LATE_WHILE_STEADY : late).toNanos();
    }
}
