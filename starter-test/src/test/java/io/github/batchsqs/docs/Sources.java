/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.docs;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The texts in the main sources of the library, with which the pages are compared. */
final class Sources {

    private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\\\n]|\\\\.)*)\"");

    private Sources() {}

    /** Returns the string literals of each main source that a release publishes, in their order. */
    static List<List<String>> literals() {
        return ModulesTests.published().stream()
                .flatMap(module -> Page.files(Page.ROOT.resolve(module).resolve("src/main/java"), ".java"))
                .map(Sources::literalsOf)
                .toList();
    }

    private static List<String> literalsOf(Path source) {
        return LITERAL.matcher(Page.text(source).replace("'\"'", ""))
                .results()
                .map(literal -> literal.group(1).replace("\\\"", "\""))
                .toList();
    }
}
