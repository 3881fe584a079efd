/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.fetch;

import io.github.batchsqs.internal.support.SqsLimits;
import java.time.Duration;

/**
 * Decides how many messages are ready beyond those running. Pure: no thread, no clock of its own.
 *
 * <p>Each message that is settled allows two more, so that the rate doubles with each round trip while there is a backlog
 * and handlers keep up: the place of the one is taken until its delete is accepted, and meanwhile two are asked for.
 * Nothing grows before handlers have shown that they keep up.
 *
 * <p>Once in a round trip the number is cut back to what three round trips take at the measured rate: one for the receives
 * under way, one for the deletes under way, and one that keeps every invocation fed. More would only sit here while
 * another instance is idle.
 */
final class AutoPrefetch {

    private static final int PER_SETTLED = 2;
    private static final int ROUND_TRIPS = 3;
    private static final long WINDOW_AT_LEAST = Duration.ofMillis(5).toNanos();

    private int max;
    private long ready = SqsLimits.MAX_PER_CALL;
    private long settledBefore;
    private long windowStart;
    private long settledAtWindowStart;
    private double ratePerNano;

    /** Makes it for so many pollers at most. */
    AutoPrefetch(int maxPollers, long now) {
        this.windowStart = now;
        setMaxPollers(maxPollers);
    }

    void setMaxPollers(int maxPollers) {
        max = 2 * SqsLimits.MAX_PER_CALL * maxPollers;
    }

    /** Returns the maximum: the messages that all pollers ask for, and as many that are being deleted. */
    int max() {
        return max;
    }

    /**
     * Returns how many should be ready now: a multiple of what one receive brings.
     *
     * @param roundTrip nanoseconds of a receive that did not wait; 0 while unknown
     * @param settledSoFar how many messages were settled since the start
     */
    int target(long now, long roundTrip, long settledSoFar) {
        ready += PER_SETTLED * (settledSoFar - settledBefore);
        settledBefore = settledSoFar;
        long window = now - windowStart;
        if (window >= Math.max(WINDOW_AT_LEAST, roundTrip)) {
            double measured = (double) (settledSoFar - settledAtWindowStart) / window;
            ratePerNano = Math.max(measured, (ratePerNano + measured) / 2);
            windowStart = now;
            settledAtWindowStart = settledSoFar;
            ready = Math.min(ready, Math.round(ROUND_TRIPS * ratePerNano * roundTrip));
        }
        ready = Math.clamp(ready, SqsLimits.MAX_PER_CALL, max);
        return Math.ceilDiv((int) ready, SqsLimits.MAX_PER_CALL) * SqsLimits.MAX_PER_CALL;
    }
}
