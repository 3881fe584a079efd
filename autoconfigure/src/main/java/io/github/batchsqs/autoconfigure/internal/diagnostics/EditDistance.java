/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.autoconfigure.internal.diagnostics;

/** How much two words differ. */
public final class EditDistance {

    private EditDistance() {}

    /** Returns the number of characters to insert, delete, replace, or swap with their neighbour. */
    public static int of(String a, String b) {
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
