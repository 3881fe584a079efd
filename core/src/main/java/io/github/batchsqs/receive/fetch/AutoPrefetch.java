/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.fetch;

import java.time.Duration;

/**
 * How many messages to hold ready beyond those running. Pure: no thread, no clock of its own.
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

    private long max;
    private long ready = FetchSettings.MOST_PER_RECEIVE;
    private long settledBefore;
    private long windowStart;
    private long settledAtWindowStart;
    private double ratePerNano;

    /** Makes it for so many pollers at the most. */
    AutoPrefetch(int maxPollers, long now) {
        this.windowStart = now;
        setMaxPollers(maxPollers);
    }

    /** The most to hold is what all pollers ask for, and as many that are being deleted. */
    void setMaxPollers(int maxPollers) {
        max = 2L * FetchSettings.MOST_PER_RECEIVE * maxPollers;
    }

    /**
     * How many to hold ready now: a multiple of what one receive brings.
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
        ready = Math.clamp(ready, FetchSettings.MOST_PER_RECEIVE, max);
        return Math.ceilDiv((int) ready, FetchSettings.MOST_PER_RECEIVE) * FetchSettings.MOST_PER_RECEIVE;
    }
}
