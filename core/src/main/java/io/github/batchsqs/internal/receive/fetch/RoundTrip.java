/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import java.time.Duration;

/**
 * Estimates how long a receive takes that does not wait for messages: the smoothed mean of full responses. Pure: no thread, no clock of
 * its own; belongs to the {@link Valve}'s lock.
 *
 * <p>The mean decides how many messages are in flight at a rate, and durations of calls to SQS spread: as AWS publishes them, 40 of 100
 * take less than half of the mean, and one of 100 takes more than six times the mean. Therefore a single short duration does not replace
 * the estimate.
 *
 * <p>A full response may have waited for its messages. With waits in the estimate the in-flight limit would rise, with
 * the limit the number of receives that wait for the same messages, and with that the waits. If the last message of a
 * response is at least as old as the receive, it was in the queue when the receive began, so the receive has not
 * waited. From the first such response on, only these count. Until then all count, as a guess; so they do for a clock
 * behind that of SQS.
 *
 * <p>Messages that become visible late, or a clock ahead of that of SQS, hide waits. Three responses in a row that are
 * far from the estimate, all of them shorter or all of them longer, show that it is wrong: their mean replaces it.
 * Single long ones beyond this distance do not count; single short ones count as all others do, or the mean would be
 * too high.
 */
final class RoundTrip {

    /** A response had to wait if it took longer than this many round trips, and {@link #WAITED_AT_LEAST}. */
    private static final int WAITED_ROUND_TRIPS = 4;

    private static final long WAITED_AT_LEAST = Duration.ofMillis(50).toNanos();

    /** The estimate follows this many responses. */
    private static final int RESPONSES = 32;

    /** Less than this part of the estimate, or more than this multiple of it, is far from it. */
    private static final int FAR = 8;

    /** This many in a row that are far from the estimate replace it. */
    private static final int REPLACE = 3;

    private long nanos;
    private boolean guess = true;
    /** Where the last response was: -1 far below the estimate, 1 far above it, 0 near it. */
    private int side;

    private int inARow;
    private long sum;

    /** Returns the estimate in nanoseconds; 0 while unknown. */
    long nanos() {
        return nanos;
    }

    /**
     * A full response came.
     *
     * @param took after so many nanoseconds
     * @param age how long ago SQS accepted its last message, in nanoseconds, or {@link ReceiveSpacing#UNKNOWN_AGE}
     */
    void fullResponse(long took, long age) {
        boolean wasInQueue = age != ReceiveSpacing.UNKNOWN_AGE && age >= took;
        if (nanos == 0 || (guess && wasInQueue)) {
            nanos = took;
            guess = !wasInQueue;
            side = 0;
            return;
        }
        count(took);
        if (side >= 0 && !wasInQueue && !guess) {
            side = 0; // it may have waited; far below the estimate it has not waited for long
        } else if (inARow == REPLACE) {
            nanos = sum / REPLACE;
            side = 0;
        } else if (side <= 0) {
            nanos += (took - nanos) / RESPONSES;
        }
    }

    private void count(long took) {
        int before = side;
        side = took < nanos / FAR ? -1 : took / FAR > nanos ? 1 : 0;
        boolean goesOn = side != 0 && side == before;
        inARow = side == 0 ? 0 : goesOn ? inARow + 1 : 1;
        sum = goesOn ? sum + took : took;
    }

    /** Returns whether a short response that took so long had to wait for messages; never while the round trip is unknown. */
    boolean waited(long took) {
        return nanos > 0 && took > Math.max(WAITED_AT_LEAST, WAITED_ROUND_TRIPS * nanos);
    }
}
