/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

/**
 * The invocations that began and ended in a half of a slot of an {@link AutomaticLimit}. Latencies are kept by size of the batch,
 * so that a batch of one and a batch of a hundred are never compared: each class holds sizes of up to twice its
 * smallest one. The latency of a class is the geometric mean: a few slow messages among many hardly change it, and a
 * queue, which delays all of them by the same factor, changes it by this factor.
 */
final class Sample {

    /** The size classes: 1, 2 to 3, 4 to 7, and so on, up to the maximum batch size of 10,000. */
    private static final int SIZE_CLASSES = 14;

    private static final int MIN_INVOCATIONS = 8;
    private static final double USED = 0.75;
    private static final int OVERLOADED = 20;
    private static final double OVERLOADED_PART = 0.1;

    /** So many failures beyond twice the share of another sample are no chance. */
    private static final int MORE_FAILURES = 5;

    private final double[] sums = new double[SIZE_CLASSES];
    private final int[] counts = new int[SIZE_CLASSES];
    private int ended;
    private double used;
    private double failed;
    private double overloaded;

    /**
     * An invocation ended.
     *
     * @param usedPart the part of the limit that ran
     */
    void add(int messages, int failures, int overloads, double usedPart, long nanos) {
        ended++;
        used += usedPart;
        failed += failures / (double) messages;
        overloaded += overloads / (double) messages;
        if (failures < messages) { // a failure is often fast
            int size = Math.min(SIZE_CLASSES - 1, Integer.SIZE - 1 - Integer.numberOfLeadingZeros(messages));
            sums[size] += Math.log((double) Math.max(1, nanos));
            counts[size]++;
        }
    }

    /** Returns whether the invocations used the limit, without an overload. */
    boolean isUsed() {
        return ended >= MIN_INVOCATIONS && used >= USED * ended && overloadedPart() < OVERLOADED_PART;
    }

    /** Returns whether an overload is no chance. */
    boolean isOverloaded() {
        return overloaded >= OVERLOADED && overloadedPart() >= OVERLOADED_PART;
    }

    double overloadedPart() {
        return overloaded / ended;
    }

    boolean failsMoreThan(Sample other) {
        return failed >= MORE_FAILURES + 2 * other.failed / Math.max(1, other.ended) * ended;
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
}
