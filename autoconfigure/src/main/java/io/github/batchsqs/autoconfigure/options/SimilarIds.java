/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.options;

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
        int changes = length >= LETTERS_FOR_TWO_CHANGES ? 2 : 1;
        return length >= MIN_LETTERS && digits(a).equals(digits(b)) && changes(a, b) <= changes;
    }

    private static String digits(String word) {
        var digits = new StringBuilder();
        DIGITS.matcher(word)
                .results()
                .forEach(found -> digits.append(found.group()).append(' '));
        return digits.toString();
    }

    /** Returns the number of characters to insert, delete, replace, or swap with their neighbour. */
    private static int changes(String a, String b) {
        int[][] changes = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    changes[i][j] = i + j;
                    continue;
                }
                boolean same = a.charAt(i - 1) == b.charAt(j - 1);
                int fewest = Math.min(changes[i - 1][j], changes[i][j - 1]) + 1;
                fewest = Math.min(fewest, changes[i - 1][j - 1] + (same ? 0 : 1));
                boolean swapped =
                        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
                changes[i][j] = swapped ? Math.min(fewest, changes[i - 2][j - 2] + 1) : fewest;
            }
        }
        return changes[a.length()][b.length()];
    }
}
