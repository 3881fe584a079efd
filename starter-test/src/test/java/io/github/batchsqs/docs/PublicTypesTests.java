/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What no user needs to know is not public, or in an internal package; a page for users has the rest as code, or imports it. */
class PublicTypesTests {

    private static final Pattern TYPE =
            Pattern.compile("(?m)^public (?:[a-z-]+ )*(?:class|interface|record|enum|@interface) (\\w+)");
    private static final Pattern WORD = Pattern.compile("\\w+");
    private static final Pattern IMPORT = Pattern.compile("(?m)^import io\\.github\\.batchsqs\\.[\\w.]*?(\\w+);");
    private static final int MAX = 70;

    @Test
    void areFewAndEachIsOnAPage() {
        List<String> types = ModulesTests.published().stream()
                .map(module -> Page.ROOT.resolve(module).resolve("src/main/java"))
                .flatMap(sources -> Page.files(sources, ".java"))
                .filter(source -> !source.toString().contains("/internal/"))
                .flatMap(source -> words(TYPE, Page.text(source), 1))
                .toList();

        assertThat(types)
                .hasSizeBetween(1, MAX)
                .isSubsetOf(Page.all().stream()
                        .filter(page ->
                                page.file().startsWith("docs") && page.file().getNameCount() == 2)
                        .flatMap(PublicTypesTests::named)
                        .collect(Collectors.toSet()));
    }

    private static Stream<String> named(Page page) {
        return Stream.concat(
                page.codes().stream().flatMap(code -> words(WORD, code, 0)),
                page.fences().stream().flatMap(fence -> words(IMPORT, fence.text(), 1)));
    }

    private static Stream<String> words(Pattern pattern, String text, int group) {
        return pattern.matcher(text).results().map(found -> found.group(group));
    }
}
