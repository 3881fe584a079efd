/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.contentOf;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Main sources and pages use the words of the glossary in {@code CONTRIBUTING.md}. The words below are synonyms that have no
 * other meaning here, so a search finds them.
 */
class GlossaryTests {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    /** It repeats the descriptions in the sources. */
    private static final Path GENERATED = ROOT.resolve("docs/settings.md");

    private static final List<Synonym> EVERYWHERE = List.of(
            new Synonym("hand settlement", "manual acknowledgement"),
            new Synonym("hangs? on|hung on", "callback"),
            new Synonym("taken? back|took back", "return to the queue, untrack"),
            new Synonym("in turns|(?:a|the|each|one) turns?", "group run"),
            new Synonym("of yours", "custom"),
            new Synonym("lanes?", "message group"),
            new Synonym("promises?", "future, guarantee"),
            new Synonym("by hand", "manual, manually"),
            new Synonym("withdraws?|withdrawn|withdrew", "return to the queue, requeue"),
            new Synonym("customizers? client|customizer's client", "custom client"));

    /** Searched on pages alone: in sources these words have other meanings too. */
    private static final List<Synonym> ON_PAGES = List.of(
            new Synonym("epochs?", "flush barrier"),
            new Synonym("says? so|told so", "report, record"),
            new Synonym("messages (?:that are )?held|held messages?|stays? held|(?:held|holds?) ready", "in flight"),
            new Synonym("gives? back|given back|gave back|giving back", "return to the queue"),
            new Synonym("answers?|answered", "response, result"),
            new Synonym("at the most|the most (?!of\\b)", "maximum, at most"),
            new Synonym("pace(?!-\\d)", "interval, rate"),
            new Synonym("isolates?", "retry individually"));

    @Test
    void sourcesAndPagesUseTheGlossary() {
        List<String> found = new ArrayList<>();
        sources().forEach(file -> search(file, EVERYWHERE, found));
        pages().forEach(file -> search(file, EVERYWHERE, found));
        pages().forEach(file -> search(file, ON_PAGES, found));
        assertThat(found).isEmpty();
    }

    @Test
    void findsWordsInProseAndInNames() {
        Synonym lane = new Synonym("lanes?", "message group");
        assertThat(Stream.of("a lane", "Lanes", "laneOf(x)", "byLane", "LANES", "lane_of"))
                .allMatch(lane::isIn);
        assertThat(Stream.of("a plane", "Planes", "laned", "planet")).noneMatch(lane::isIn);
    }

    private static void search(Path file, List<Synonym> synonyms, List<String> found) {
        List<String> lines = lines(file);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            for (Synonym synonym : synonyms) {
                if (synonym.isIn(line)) {
                    found.add("%s:%d: \"%s\": use %s"
                            .formatted(ROOT.relativize(file), i + 1, synonym.wordIn(line), synonym.instead()));
                }
            }
        }
    }

    private static Stream<Path> sources() {
        return Stream.of("model", "core", "autoconfigure", "s3", "jdbc", "starter-test", "sample-app", "benchmarks")
                .flatMap(module -> TestSources.files(ROOT.resolve(module).resolve("src/main"), ".java"));
    }

    private static Stream<Path> pages() {
        Stream<Path> root =
                Stream.of("README.md", "CONTRIBUTING.md", "SECURITY.md").map(ROOT::resolve);
        return Stream.concat(root, TestSources.files(ROOT.resolve("docs"), ".md"))
                .filter(page -> !page.equals(GENERATED));
    }

    /** The lines of a file; those of a page without code and without the table that lists the synonyms. */
    private static List<String> lines(Path file) {
        List<String> lines = contentOf(file.toFile()).lines().toList();
        if (!file.toString().endsWith(".md")) {
            return lines;
        }
        int glossary = lines.indexOf("| use | do not use |");
        return IntStream.range(0, lines.size())
                .mapToObj(i -> glossary >= 0 && i >= glossary && isRowOf(glossary, i, lines) ? "" : lines.get(i))
                .map(line -> line.replaceAll("`[^`]*`", "``"))
                .toList();
    }

    private static boolean isRowOf(int table, int line, List<String> lines) {
        return lines.subList(table, line + 1).stream().allMatch(each -> each.startsWith("|"));
    }

    /**
     * A word that the glossary replaces.
     *
     * @param word a pattern in lower case; it matches whole words, also within a name in camel case
     * @param instead the word of the glossary
     */
    private record Synonym(Pattern word, String instead) {

        Synonym(String word, String instead) {
            this(
                    Pattern.compile("(?<![A-Za-z])(?i:" + word + ")(?![a-z])|(?=[A-Z])(?i:" + word + ")(?![a-z])"),
                    instead);
        }

        boolean isIn(String line) {
            return word.matcher(line).find();
        }

        String wordIn(String line) {
            return word.matcher(line).results().findFirst().orElseThrow().group();
        }
    }
}
