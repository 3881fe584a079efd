/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.support;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Numbers and sentences as log lines and errors write them. */
public final class Words {

    private static final Duration IN_MILLIS = Duration.ofSeconds(10);

    private Words() {}

    /** A number of things: {@code 1 failure}, {@code 2 failures}. */
    public static String count(long number, String singular) {
        return number + " " + singular + (number == 1 ? "" : "s");
    }

    /** A measured duration as people read it: {@code 250ms}, {@code 61s}, {@code 2m}; never longer than it is. */
    public static String measured(Duration value) {
        return Check.text(
                value.compareTo(IN_MILLIS) < 0
                        ? Duration.ofMillis(value.toMillis())
                        : Duration.ofSeconds(value.toSeconds()));
    }

    /** The sentence without its full stop, for a line that goes on. */
    public static @Nullable String unended(@Nullable String sentence) {
        return sentence == null || !sentence.endsWith(".") || sentence.endsWith("..")
                ? sentence
                : sentence.substring(0, sentence.length() - 1);
    }
}
