/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import java.time.Duration;
import java.util.Arrays;

/**
 * The latencies of the invocations that ended since a time, by size of the batch: each class holds sizes of up to twice its
 * smallest one. A batch of one and a batch of a hundred are never compared, so that a handler whose cost is per call and one
 * whose cost is per message are measured alike.
 *
 * <p>The latency of a window is the geometric mean of the class with the most invocations: a few slow messages among many
 * hardly change it, and a queue in front of a resource, which delays all of them by the same factor, changes it by this factor.
 *
 * <p>Pure, not safe for use by several threads.
 */
final class LatencyWindow {

    /** The size classes: 1, 2 to 3, 4 to 7, and so on, up to the maximum batch size of 10,000. */
    static final int SIZE_CLASSES = 14;

    static final long MIN_LENGTH = Duration.ofMillis(100).toNanos();
    private static final int MIN_INVOCATIONS = 50;
    private static final int MIN_OF_CLASS = 10;
    private static final int MAX_INVOCATIONS = 400;

    /** The standard error of the logarithm at which a mean is exact enough: 8 percent. */
    private static final double STANDARD_ERROR = 0.08;

    private final double[] sums = new double[SIZE_CLASSES];
    private final double[] squares = new double[SIZE_CLASSES];
    private final int[] counts = new int[SIZE_CLASSES];
    private int total;
    private int largestClass;
    private double busyNanos;
    private long openedAt;

    LatencyWindow(long now) {
        openedAt = now;
    }

    /** Returns the size class of a batch of one message or more. */
    static int sizeClass(int messages) {
        return Math.min(SIZE_CLASSES - 1, Integer.SIZE - 1 - Integer.numberOfLeadingZeros(messages));
    }

    /** Empties the window. */
    void open(long now) {
        Arrays.fill(sums, 0);
        Arrays.fill(squares, 0);
        Arrays.fill(counts, 0);
        total = 0;
        largestClass = 0;
        busyNanos = 0;
        openedAt = now;
    }

    /** An invocation ended, whether its latency counts or not. */
    void addBusy(double nanos) {
        busyNanos += nanos;
    }

    /** Adds the latency of an invocation, as its natural logarithm. */
    void add(int sizeClass, double latency) {
        sums[sizeClass] += latency;
        squares[sizeClass] += latency * latency;
        counts[sizeClass]++;
        total++;
        if (counts[sizeClass] > counts[largestClass]) {
            largestClass = sizeClass;
        }
    }

    /** Returns whether there are enough invocations for a decision: those of one generation, and more if they differ. */
    boolean isFull(int limit, long now) {
        if (total < Math.clamp(limit, MIN_INVOCATIONS, MAX_INVOCATIONS) || now - openedAt < MIN_LENGTH) {
            return false;
        }
        return total >= MAX_INVOCATIONS || variance(largestClass) <= STANDARD_ERROR * STANDARD_ERROR;
    }

    /** Returns how many invocations ran at once on average, by Little's law. */
    double running(long now) {
        return busyNanos / length(now);
    }

    /** Returns how long it is open, in nanoseconds. */
    long length(long now) {
        return now - openedAt;
    }

    /** Returns the size class with the most invocations. */
    int sizeClass() {
        return largestClass;
    }

    /** Returns whether there are enough invocations of a size class to tell its latency. */
    boolean knows(int sizeClass) {
        return counts[sizeClass] >= MIN_OF_CLASS;
    }

    /** Returns the natural logarithm of the latency. */
    double latency(int sizeClass) {
        return sums[sizeClass] / counts[sizeClass];
    }

    /** Returns the square of the standard error of the latency, if the invocations do not depend on each other. */
    double variance(int sizeClass) {
        double mean = latency(sizeClass);
        int count = counts[sizeClass];
        return Math.max(0, squares[sizeClass] / count - mean * mean) / count; // not below 0 by rounding
    }
}
