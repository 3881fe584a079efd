/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs;

import io.github.batchsqs.internal.support.Check;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Exponential backoff with full jitter: the delay after failure {@code n} is a random value between 0 and
 * {@code initial × multiplier^(n-1)}, limited to {@code max}.
 *
 * @param initial the maximum delay after the first failure; positive
 * @param multiplier the growth of the maximum delay with each failure; at least 1
 * @param max the limit of the maximum delay; at least {@code initial}
 * @param jitter whether the delay is random; {@code false} always waits for the maximum delay
 */
public record Backoff(Duration initial, double multiplier, Duration max, boolean jitter) {

    /**
     * Checks the values.
     *
     * @throws io.github.batchsqs.errors.InvalidOptionException if a value breaks its rule
     */
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

    /**
     * {@return a backoff with full jitter whose maximum delay doubles from {@code initial} up to {@code max}}
     *
     * @param initial the maximum delay after the first failure; more than 0
     * @param max the maximum delay after many failures; at least {@code initial}
     */
    public static Backoff exponential(Duration initial, Duration max) {
        return new Backoff(initial, 2, max, true);
    }

    /**
     * {@return the delay after the given number of failures}
     *
     * @param failures the number of failures so far, at least 1
     * @param random the source of the jitter
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
