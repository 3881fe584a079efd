/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Pages for users have short sentences, and say "never", "always", "only" and "ends the start" where a test holds it. A comment in
 * the same paragraph, item or row names the test: {@code <!-- holds: KillTests MisbehavingHandlerTests#aMethod -->}. Rows of settings
 * are generated, and cannot.
 */
class ProseTests {

    private static final int WORDS = 30;

    private static final Pattern CLAIM = Pattern.compile(
            "(?<!-)\\b(?:never|always|only)\\b|\\b(?:ends?|fails?|refused at) the start\\b|\\bstart (?:ends|fails)\\b",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern HOLDS = Pattern.compile("<!-- holds: ([\\w# ]+) -->");
    private static final Pattern FENCE = Pattern.compile("^ *```.*?^ *```$", Pattern.MULTILINE | Pattern.DOTALL);
    private static final Pattern BLOCK = Pattern.compile("\\n\\s*\\n|\\n(?= *(?:[-|#]|\\d+\\. ))");

    @Test
    void noSentenceIsLong() {
        assertThat(blocks().map(block ->
                                block.replaceAll("<!--.*?-->", "").replaceAll("\\[([^\\]]*)]\\([^)]*\\)", "$1"))
                        .flatMap(block -> Stream.of(
                                block.strip().startsWith("|") ? block.split("\\|", -1) : new String[] {block}))
                        .flatMap(text -> Stream.of(text.split("(?<=[.!?])\\s+", -1)))
                        .filter(sentence -> words(sentence) > WORDS)
                        .toList())
                .isEmpty();
    }

    @Test
    void everyClaimNamesItsTest() {
        assertThat(blocks().filter(block -> !block.startsWith("| `batchsqs."))
                        .filter(block -> CLAIM.matcher(block.replaceAll("<!--.*?-->|`[^`]*`", ""))
                                .find())
                        .filter(block -> !HOLDS.matcher(block).find())
                        .toList())
                .isEmpty();
    }

    @Test
    void theTestsOfClaimsExist() {
        Map<String, String> tests = tests();
        List<String> named = blocks().flatMap(block -> HOLDS.matcher(block).results())
                .flatMap(found -> Stream.of(found.group(1).strip().split(" +", -1)))
                .toList();
        assertThat(named).hasSizeGreaterThan(5).allSatisfy(name -> {
            String[] parts = name.split("#", 2);
            assertThat(tests).containsKey(parts[0]);
            assertThat(tests.get(parts[0])).contains(parts.length > 1 ? "void " + parts[1] + "(" : "");
        });
    }

    private static long words(String sentence) {
        return Stream.of(sentence.split("\\s+", -1))
                .filter(word -> word.matches(".*\\w.*"))
                .count();
    }

    /** Paragraphs, items of lists and rows of tables, of the pages for users. */
    private static Stream<String> blocks() {
        Path docs = Page.ROOT.resolve("docs");
        return Stream.concat(
                        Page.files(docs, ".md").filter(file -> docs.equals(file.getParent())),
                        Stream.of(Page.ROOT.resolve("SECURITY.md")))
                .flatMap(page ->
                        BLOCK.splitAsStream(FENCE.matcher(Page.text(page)).replaceAll("")));
    }

    /** Returns the sources of the test classes by their names. */
    static Map<String, String> tests() {
        return ModulesTests.all()
                .map(module -> Page.ROOT.resolve(module).resolve("src/test"))
                .flatMap(tests -> Stream.concat(Page.files(tests, "Tests.java"), Page.files(tests, "Tests.kt")))
                .collect(Collectors.toMap(
                        file -> String.valueOf(file.getFileName()).replaceFirst("\\.\\w+$", ""),
                        Page::text,
                        (one, other) -> one + other,
                        TreeMap::new));
    }
}
