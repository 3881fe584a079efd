/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import io.github.batchsqs.errors.InvalidOptionException;
import java.time.Duration;

/** Rules of settings, in the words of the error that a broken one ends in. */
public final class Check {

    private Check() {}

    /** Fails with the option's name, the rule, the value and the remedy unless the rule holds. */
    public static void that(boolean holds, String option, String rule, Object value, String remedy) {
        if (!holds) {
            throw new InvalidOptionException(
                    option, rule, value instanceof Duration duration ? text(duration) : value, remedy);
        }
    }

    /** The value must be at least the minimum. */
    public static void atLeast(String option, long value, long min) {
        that(value >= min, option, "must be at least " + min, value, "set " + min + " or more");
    }

    /** The value must lie between the bounds, both included. */
    public static void range(String option, long value, long min, long max) {
        that(
                value >= min && value <= max,
                option,
                "must be between " + min + " and " + max,
                value,
                "set a value in that range");
    }

    /** The duration must lie between the bounds, both included. */
    public static void range(String option, Duration value, Duration min, Duration max) {
        that(
                value.compareTo(min) >= 0 && value.compareTo(max) <= 0,
                option,
                "must be between " + text(min) + " and " + text(max),
                text(value),
                value.compareTo(min) < 0 && min.isPositive()
                        ? "set a value in that range, for example " + text(min)
                        : "set a value in that range, for example " + text(max));
    }

    /** The number of bytes must lie between the bounds, both included. */
    public static void rangeOfBytes(String option, long value, long min, long max) {
        that(
                value >= min && value <= max,
                option,
                "must be between " + bytes(min) + " and " + bytes(max),
                bytes(value),
                "set a value in that range, for example " + bytes(value < min ? min : max));
    }

    /** A number of bytes as it is written in settings: {@code 2000B}, {@code 256KB}, {@code 1MB}. */
    public static String bytes(long value) {
        if (value == 0 || value % (1 << 10) != 0) {
            return value + "B";
        }
        return value % (1 << 20) != 0 ? (value >> 10) + "KB" : (value >> 20) + "MB";
    }

    /** A duration as it is written in settings: {@code 250ms}, {@code 20s}, {@code 5m}, {@code 12h}. */
    public static String text(Duration value) {
        if (value.isZero()) {
            return "0s";
        }
        if (value.toNanosPart() % 1_000_000 != 0) {
            return value.toNanos() + "ns";
        }
        if (value.toMillisPart() != 0) {
            return value.toMillis() + "ms";
        }
        if (value.toSecondsPart() != 0) {
            return value.toSeconds() + "s";
        }
        return value.toMinutesPart() != 0 ? value.toMinutes() + "m" : value.toHours() + "h";
    }
}
