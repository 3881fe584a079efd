/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.report;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A table of a page. */
public final class MarkdownTable {

    /** A column whose name begins with it is aligned to the right. */
    private static final String NUMBERS = ">";

    private final StringBuilder text = new StringBuilder();

    /** Begins a table; a column of numbers has a {@code >} before its name. */
    public MarkdownTable(String... columns) {
        line(Arrays.stream(columns)
                .map(column -> column.startsWith(NUMBERS) ? column.substring(NUMBERS.length()) : column)
                .toList());
        text.append(Arrays.stream(columns)
                .map(column -> column.startsWith(NUMBERS) ? "---:" : "---")
                .collect(Collectors.joining("|", "|", "|\n")));
    }

    /** Adds a row. */
    public void row(String... cells) {
        line(List.of(cells));
    }

    private void line(List<String> cells) {
        text.append("| ").append(String.join(" | ", cells)).append(" |\n");
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
