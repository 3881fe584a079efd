/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import java.util.Arrays;

/**
 * The invocations that ended in a part of a slot of an {@link AutomaticLimit}. Latencies are kept by size of the batch,
 * so that a batch of one and a batch of a hundred are never compared: each class holds sizes of up to twice its
 * smallest one. The latency of a class is the geometric mean: a few slow messages among many hardly change it, and a
 * queue, which delays all of them by the same factor, changes it by this factor.
 */
final class Sample {

    /** The size classes: 1, 2 to 3, 4 to 7, and so on, up to the maximum batch size of 10,000. */
    private static final int SIZE_CLASSES = 14;

    private static final int MIN_INVOCATIONS = 8;
    private static final double USED = 0.75;

    /** So many failures beyond twice the share of another sample are no chance. */
    private static final int MORE_FAILURES = 5;

    private final double[] sums = new double[SIZE_CLASSES];
    private final double[] squares = new double[SIZE_CLASSES];
    private final int[] counts = new int[SIZE_CLASSES];
    private int timed;
    private int ended;
    private double used;
    private double failed;

    /**
     * An invocation ended.
     *
     * @param failedPart the part of its messages that failed
     * @param usedPart the part of the limit that ran
     */
    void add(double failedPart, double usedPart) {
        ended++;
        used += usedPart;
        failed += failedPart;
    }

    /** Adds the latency of an invocation. */
    void time(int messages, long nanos) {
        int size = Math.min(SIZE_CLASSES - 1, Integer.SIZE - 1 - Integer.numberOfLeadingZeros(messages));
        double latency = Math.log((double) Math.max(1, nanos));
        sums[size] += latency;
        squares[size] += latency * latency;
        counts[size]++;
        timed++;
    }

    /** Returns whether the invocations used the limit. */
    boolean isUsed() {
        return ended >= MIN_INVOCATIONS && used >= USED * ended;
    }

    /** Returns the part of the messages that failed. */
    double failedPart() {
        return ended == 0 ? 0 : failed / ended;
    }

    boolean failsMoreThan(Sample other) {
        return failed >= MORE_FAILURES + 2 * other.failedPart() * ended;
    }

    /** Returns the latency in nanoseconds, 0 if it is unknown. */
    double latency() {
        return timed == 0 ? 0 : Math.exp(Arrays.stream(sums).sum() / timed);
    }

    /** Returns the logarithm of the factor by which batches of the same size took longer than in another sample; NaN if unknown. */
    double rise(Sample other) {
        double rise = 0;
        double weights = 0;
        for (int size = 0; size < SIZE_CLASSES; size++) {
            int weight = Math.min(counts[size], other.counts[size]);
            if (weight >= MIN_INVOCATIONS) {
                rise += weight * (sums[size] / counts[size] - other.sums[size] / other.counts[size]);
                weights += weight;
            }
        }
        return rise / weights;
    }

    /** Returns the standard error of {@link #rise}, if the latencies do not depend on each other. */
    double doubt(Sample other) {
        return Math.sqrt(variance() + other.variance());
    }

    private double variance() {
        double sum = 0;
        for (int size = 0; size < SIZE_CLASSES; size++) {
            sum += counts[size] == 0 ? 0 : squares[size] - sums[size] * sums[size] / counts[size];
        }
        return Math.max(0, sum) / timed / timed; // not below 0 by rounding
    }
}
