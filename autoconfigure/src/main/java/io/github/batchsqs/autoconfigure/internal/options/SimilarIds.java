/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.options;

import io.github.batchsqs.autoconfigure.internal.diagnostics.EditDistance;
import java.util.Collection;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Compares ids as Spring Boot compares keys: only by letters and digits. */
final class SimilarIds {

    private static final int MIN_LENGTH = 4;

    private SimilarIds() {}

    /** Returns whether a key under {@code batchsqs.listeners} matches the id. */
    static boolean same(String key, String id) {
        return uniform(key).equals(uniform(id));
    }

    /**
     * Returns the id that was probably meant, or {@code null}: one letter is wrong, missing or too many, or two are swapped. Ids
     * whose numbers differ are different on purpose.
     */
    static @Nullable String of(String written, Collection<String> ids) {
        return ids.stream()
                .filter(id -> similar(uniform(written), uniform(id)))
                .sorted()
                .findFirst()
                .orElse(null);
    }

    private static boolean similar(String a, String b) {
        return Math.min(a.length(), b.length()) >= MIN_LENGTH
                && a.replaceAll("\\D+", " ")
                        .strip()
                        .equals(b.replaceAll("\\D+", " ").strip())
                && EditDistance.of(a, b) <= 1;
    }

    private static String uniform(String name) {
        return name.replaceAll("[^\\p{Alnum}]", "").toLowerCase(Locale.ROOT);
    }
}
