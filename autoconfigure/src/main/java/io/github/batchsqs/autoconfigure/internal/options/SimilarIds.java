/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.options;

import io.github.batchsqs.autoconfigure.internal.diagnostics.EditDistance;
import java.util.Collection;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes a misspelt id: one or two letters of a word differ. Ids whose numbers or short words differ, such as {@code
 * orders-1} and {@code orders-2}, or {@code orders-eu} and {@code orders-us}, are different on purpose.
 */
final class SimilarIds {

    private static final Pattern BETWEEN_WORDS = Pattern.compile("[^\\p{Alnum}]+");
    private static final Pattern DIGITS = Pattern.compile("\\d+");
    private static final int MIN_LETTERS = 4;
    private static final int LETTERS_FOR_TWO_CHANGES = 8;
    private static final int SAME_LETTERS_FOR_TWO_CHANGES = 2;

    private SimilarIds() {}

    /** Returns the id that was probably meant, or {@code null}. */
    static @Nullable String of(String written, Collection<String> ids) {
        return ids.stream()
                .filter(id -> similar(written, id))
                .sorted()
                .findFirst()
                .orElse(null);
    }

    private static boolean similar(String written, String id) {
        String[] a = words(written);
        String[] b = words(id);
        if (a.length != b.length) { // a separator was forgotten, perhaps
            return similarWords(String.join("", a), String.join("", b));
        }
        for (int i = 0; i < a.length; i++) {
            if (!a[i].equals(b[i]) && !similarWords(a[i], b[i])) {
                return false;
            }
        }
        return true;
    }

    private static String[] words(String id) {
        return BETWEEN_WORDS.split(id.toLowerCase(Locale.ROOT));
    }

    private static boolean similarWords(String a, String b) {
        int length = Math.min(a.length(), b.length());
        return length >= MIN_LETTERS && digits(a).equals(digits(b)) && EditDistance.of(a, b) <= changes(a, b, length);
    }

    /** Two changes at the beginning make another word, as in {@code internal} and {@code external}. */
    private static int changes(String a, String b, int length) {
        return length >= LETTERS_FOR_TWO_CHANGES && a.regionMatches(0, b, 0, SAME_LETTERS_FOR_TWO_CHANGES) ? 2 : 1;
    }

    private static String digits(String word) {
        var digits = new StringBuilder();
        DIGITS.matcher(word)
                .results()
                .forEach(found -> digits.append(found.group()).append(' '));
        return digits.toString();
    }
}
