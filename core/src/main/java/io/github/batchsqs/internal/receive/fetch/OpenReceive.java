/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import java.time.Duration;

/**
 * A receive to which SQS has not responded yet.
 *
 * @param calledAt when it was called
 * @param waitTime how long it waits for messages
 */
record OpenReceive(long calledAt, Duration waitTime) {

    /** A response that takes this long on top of the wait probably does not come any more. */
    private static final Duration LATE = Duration.ofSeconds(1);

    boolean isLate(long now) {
        return now - calledAt >= waitTime.plus(LATE).toNanos();
    }
}
