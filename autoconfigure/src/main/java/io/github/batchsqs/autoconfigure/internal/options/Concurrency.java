/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.options;

import io.github.batchsqs.errors.InvalidOptionException;
import io.github.batchsqs.listener.ListenerOptions;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The setting {@code concurrency}: a number, {@code auto}, or {@code auto:50} with a maximum.
 *
 * @param number the number, or {@link ListenerOptions#AUTO_CONCURRENCY}
 * @param max the maximum of an automatic concurrency
 */
record Concurrency(int number, int max) {

    private static final Pattern WRITTEN = Pattern.compile("(?i)auto(?::(\\d{1,9}))?|(\\d{1,9})");

    static Concurrency of(ListenerOptions options) {
        return new Concurrency(options.concurrency(), options.concurrencyMax());
    }

    static Concurrency of(String text) {
        Matcher parts = WRITTEN.matcher(text.strip());
        if (!parts.matches()) {
            throw new InvalidOptionException(
                    "concurrency",
                    "must be auto, auto with a maximum such as auto:50, or a number of invocations",
                    text,
                    "set auto, 1 or more");
        }
        if (parts.group(2) != null) {
            return new Concurrency(Integer.parseInt(parts.group(2)), ListenerOptions.DEFAULT_CONCURRENCY_MAX);
        }
        return new Concurrency(
                ListenerOptions.AUTO_CONCURRENCY,
                parts.group(1) == null ? ListenerOptions.DEFAULT_CONCURRENCY_MAX : Integer.parseInt(parts.group(1)));
    }

    /** Returns the setting as it is written. */
    String text() {
        if (number != ListenerOptions.AUTO_CONCURRENCY) {
            return String.valueOf(number);
        }
        return max == ListenerOptions.DEFAULT_CONCURRENCY_MAX ? "auto" : "auto:" + max;
    }
}
