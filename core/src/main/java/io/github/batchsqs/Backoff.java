/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Exponential backoff with full jitter: the delay before try {@code n + 1} is drawn evenly from 0 up to
 * {@code initial × multiplier^(n-1)}, and never above {@code max}.
 *
 * @param initial the ceiling after the first failure; positive
 * @param multiplier how the ceiling grows with each failure; at least 1
 * @param max the highest ceiling; at least {@code initial}
 * @param jitter {@code false} makes the delay the ceiling itself
 */
public record Backoff(Duration initial, double multiplier, Duration max, boolean jitter) {

    public Backoff {
        Check.that(initial.isPositive(), "backoff.initial", "must be positive", initial, "set a value such as 1s");
        Check.that(multiplier >= 1, "backoff.multiplier", "must be at least 1", multiplier, "set 2 to double");
        Check.that(
                max.compareTo(initial) >= 0,
                "backoff.max",
                "must be at least backoff.initial (" + Check.text(initial) + ")",
                Check.text(max),
                "raise backoff.max or lower backoff.initial");
    }

    /** Full jitter, doubling, between the two bounds. */
    public static Backoff exponential(Duration initial, Duration max) {
        return new Backoff(initial, 2, max, true);
    }

    /**
     * The delay after the given number of failures.
     *
     * @param failures how often it failed so far, at least 1
     */
    public Duration delay(int failures, RandomGenerator random) {
        long ceiling = ceilingNanos(failures);
        return Duration.ofNanos(jitter ? random.nextLong(ceiling + 1) : ceiling);
    }

    private long ceilingNanos(int failures) {
        double grown = initial.toNanos() * Math.pow(multiplier, Math.max(0, failures - 1));
        return (long) Math.min(grown, (double) max.toNanos());
    }
}
