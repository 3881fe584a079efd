/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Lines of code: comments, blank lines, the package and the imports do not count. Nested types are part of their class. */
final class CodeLines {

    /** Literals come first, so that {@code "//"} in one of them starts no comment. */
    private static final Pattern LITERAL_OR_COMMENT = Pattern.compile(String.join(
            "|",
            "(\"\"\"[\\s\\S]*?\"\"\"",
            "\"[^\"\\\\\\n]*+(?:\\\\.[^\"\\\\\\n]*+)*+\"",
            "'[^'\\\\\\n]*+(?:\\\\.[^'\\\\\\n]*+)*+')",
            "//[^\\n]*+",
            "/\\*[\\s\\S]*?\\*/"));

    private static final Pattern PACKAGE_OR_IMPORT = Pattern.compile("(package|import) .*");

    private CodeLines() {}

    /** Returns the lines of code of each file below a folder, by the path of the file. */
    static Map<String, Long> of(Path folder) {
        Map<String, Long> lines = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                lines.put(folder.relativize(file).toString(), in(Files.readString(file)));
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return lines;
    }

    /** Counts the lines of code in a source. */
    static long in(String source) {
        return LITERAL_OR_COMMENT
                .matcher(source)
                .replaceAll(found -> found.group(1) == null ? "" : "$0")
                .lines()
                .filter(line ->
                        !line.isBlank() && !PACKAGE_OR_IMPORT.matcher(line).matches())
                .count();
    }
}
