/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive.fetch;

import java.time.Duration;

/**
 * How many messages to hold ready beyond those running. Pure: no thread, no clock of its own.
 *
 * <p>At a rate {@code r} and a round trip {@code t}, {@code r × t} messages pass while a receive is under way, and as many
 * while a delete is; holding twice that keeps every invocation fed, and lets the rate double with each round trip while
 * there is a backlog. More would only sit here while another instance is idle.
 */
final class AutoPrefetch {

    private static final int PER_RECEIVE = 10;
    private static final long WINDOW_AT_LEAST = Duration.ofMillis(5).toNanos();

    private final int max;
    private long windowStart;
    private long settledBefore;
    private double ratePerNano;

    AutoPrefetch(int max, long now) {
        this.max = max;
        this.windowStart = now;
    }

    /**
     * How many to hold ready now: a multiple of what one receive brings.
     *
     * @param roundTrip nanoseconds of a receive that did not wait; 0 while unknown
     * @param settledSoFar how many messages have left this process since it started
     */
    int target(long now, long roundTrip, long settledSoFar) {
        long window = now - windowStart;
        if (window >= Math.max(WINDOW_AT_LEAST, roundTrip)) {
            double measured = (double) (settledSoFar - settledBefore) / window;
            ratePerNano = Math.max(measured, (ratePerNano + measured) / 2);
            windowStart = now;
            settledBefore = settledSoFar;
        }
        double wanted = 2 * ratePerNano * roundTrip;
        int receives = (int) Math.ceil(Math.min(wanted, max) / PER_RECEIVE);
        return Math.clamp(receives * (long) PER_RECEIVE, Math.min(PER_RECEIVE, max), max);
    }
}
