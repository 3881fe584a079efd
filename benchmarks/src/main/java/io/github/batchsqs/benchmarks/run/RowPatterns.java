/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.run;

import java.util.List;

/** Chooses rows by their names: a pattern is the end of a name, in which {@code *} stands for anything. */
public final class RowPatterns {

    private RowPatterns() {}

    /** Returns whether one of the patterns chooses the row; no patterns choose all rows. */
    public static boolean choose(List<String> patterns, String name) {
        return patterns.isEmpty()
                || patterns.stream()
                        .map(pattern -> ".*" + pattern.replace(".", "\\.").replace("*", ".*"))
                        .anyMatch(name::matches);
    }
}
