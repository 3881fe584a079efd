/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links within the repository have a target, and the index lists every page. */
class LinksTests {

    private final Map<Path, Page> pages =
            Page.all().stream().collect(Collectors.toMap(Page::file, Function.identity()));

    @Test
    void everyInternalLinkHasATarget() {
        assertThat(pages.values().stream().flatMap(this::broken).toList()).isEmpty();
    }

    @Test
    void theIndexNamesEveryPage() {
        Page index = page("docs/README.md");
        List<Path> named = index.links().stream()
                .filter(link -> !link.contains("://"))
                .map(link -> target(index, link))
                .toList();
        assertThat(pages.keySet().stream()
                        .filter(file -> file.startsWith("docs") && file.getNameCount() == 2)
                        .filter(file -> !file.equals(index.file()))
                        .toList())
                .hasSizeGreaterThan(20)
                .allSatisfy(file -> assertThat(named).contains(file));
    }

    private Page page(String file) {
        return pages.values().stream()
                .filter(page -> page.file().equals(Path.of(file)))
                .findFirst()
                .orElseThrow();
    }

    private Stream<String> broken(Page page) {
        return page.links().stream()
                .filter(link -> !link.contains("://") && !link.startsWith("mailto:"))
                .filter(link -> !hasTarget(page, link))
                .map(link -> page.file() + " -> " + link);
    }

    private boolean hasTarget(Page page, String link) {
        Path target = target(page, link);
        if (!Files.exists(Page.ROOT.resolve(target))) {
            return false;
        }
        int anchor = link.indexOf('#');
        Page linked = pages.get(target);
        return anchor < 0 || (linked != null && linked.anchors().contains(link.substring(anchor + 1)));
    }

    private static Path target(Page page, String link) {
        String file = link.replaceFirst("#.*", "");
        return file.isEmpty() ? page.file() : page.file().resolveSibling(file).normalize();
    }
}
