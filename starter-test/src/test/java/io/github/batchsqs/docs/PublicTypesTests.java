/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What no user needs to know is not public, or in an internal package; the rest is on a page. */
class PublicTypesTests {

    private static final List<String> MODULES = List.of("core", "autoconfigure", "s3", "jdbc", "starter-test");
    private static final Pattern TYPE =
            Pattern.compile("(?m)^public (?:[a-z-]+ )*(?:class|interface|record|enum|@interface) (\\w+)");
    private static final Pattern WORD = Pattern.compile("\\w+");
    private static final int MAX = 70;

    @Test
    void areFewAndEachIsOnAPage() {
        List<String> types = MODULES.stream()
                .map(module -> Page.ROOT.resolve(module).resolve("src/main/java"))
                .flatMap(sources -> Page.files(sources, ".java"))
                .filter(source -> !source.toString().contains("/internal/"))
                .flatMap(source -> words(TYPE, Page.text(source), 1))
                .toList();

        assertThat(types)
                .hasSizeBetween(1, MAX)
                .isSubsetOf(
                        pages().flatMap(page -> words(WORD, Page.text(page), 0)).collect(Collectors.toSet()));
    }

    /** Decisions and architecture are not for users. */
    private static Stream<Path> pages() {
        Path docs = Page.ROOT.resolve("docs");
        return Page.files(docs, ".md").filter(page -> !page.startsWith(docs.resolve("adr")));
    }

    private static Stream<String> words(Pattern pattern, String text, int group) {
        return pattern.matcher(text).results().map(found -> found.group(group));
    }
}
