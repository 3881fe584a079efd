/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.run;

import org.jspecify.annotations.Nullable;

/**
 * How long the invocations of a round took.
 *
 * @param meanMillis of an invocation
 * @param p99Millis the same
 * @param running how many ran at once, on average
 */
public record HandlerLatency(double meanMillis, double p99Millis, double running) {

    private static final double MILLIS = 1e3;
    private static final double P99 = 0.99;

    /** Returns {@code null} if nothing was measured. */
    static @Nullable HandlerLatency of(Durations latencies, double seconds) {
        int count = latencies.count();
        if (count == 0 || seconds <= 0) {
            return null;
        }
        double total = latencies.totalMillis();
        return new HandlerLatency(total / count, latencies.percentileMillis(P99), total / (seconds * MILLIS));
    }
}
