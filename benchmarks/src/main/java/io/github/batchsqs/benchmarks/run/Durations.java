/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.run;

import java.util.concurrent.ConcurrentLinkedQueue;

/** The durations of one kind in a round; any thread adds them. */
final class Durations {

    private static final double MICROS_PER_MILLI = 1000.0;

    private final ConcurrentLinkedQueue<Long> micros = new ConcurrentLinkedQueue<>();

    void add(long durationMicros) {
        micros.add(durationMicros);
    }

    void forget() {
        micros.clear();
    }

    /** How many there are. */
    int count() {
        return micros.size();
    }

    double totalMillis() {
        return micros.stream().mapToLong(Long::longValue).sum() / MICROS_PER_MILLI;
    }

    /** Returns the duration that this share of them does not exceed; 0 if there is none. */
    double percentileMillis(double share) {
        long[] sorted = micros.stream().mapToLong(Long::longValue).sorted().toArray();
        if (sorted.length == 0) {
            return 0;
        }
        return sorted[(int) Math.min(sorted.length - 1, Math.round(share * sorted.length))] / MICROS_PER_MILLI;
    }
}
