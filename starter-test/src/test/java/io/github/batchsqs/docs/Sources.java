/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The texts in the main sources of the library, with which the pages are compared. */
final class Sources {

    private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\\\n]|\\\\.)*)\"");

    private Sources() {}

    /** Returns the string literals of each main source of these modules, in their order. */
    static List<List<String>> literals(String... modules) {
        return Stream.of(modules)
                .flatMap(module -> sources(Page.ROOT.resolve(module).resolve("src/main/java")))
                .map(Sources::literalsOf)
                .toList();
    }

    private static Stream<Path> sources(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static List<String> literalsOf(Path source) {
        try {
            String code = Files.readString(source).replace("'\"'", "");
            return LITERAL.matcher(code)
                    .results()
                    .map(literal -> literal.group(1).replace("\\\"", "\""))
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
