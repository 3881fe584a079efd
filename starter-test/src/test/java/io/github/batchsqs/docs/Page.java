/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.docs;

import static org.assertj.core.api.Assertions.contentOf;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Text;
import org.commonmark.parser.IncludeSourceSpans;
import org.commonmark.parser.Parser;

/**
 * One page of this repository's documentation.
 *
 * @param file its path, relative to the root of the repository
 * @param fences its fenced blocks
 * @param codes its code spans
 * @param links the targets of its links and pictures
 * @param anchors the anchors that GitHub makes of its headings
 */
record Page(Path file, List<Fence> fences, List<String> codes, List<String> links, List<String> anchors) {

    /** The root of the repository; tests run in the folder of a module. */
    static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private static final Parser PARSER =
            Parser.builder().includeSourceSpans(IncludeSourceSpans.BLOCKS).build();

    /**
     * A fenced block.
     *
     * @param place page and line
     * @param language the first word after the fence
     * @param file the file that it quotes, or an empty text
     */
    record Fence(String place, String language, String file, String text) {
        @Override
        public String toString() {
            return place;
        }
    }

    /** All pages: those in the root, and those under {@code docs}. */
    static List<Page> all() {
        try (Stream<Path> root = Files.list(ROOT)) {
            return Stream.concat(
                            root.filter(file -> file.toString().endsWith(".md")), files(ROOT.resolve("docs"), ".md"))
                    .sorted()
                    .map(Page::read)
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** The blocks of all pages in one of these languages. */
    static List<Fence> fences(String... languages) {
        return all().stream()
                .flatMap(page -> page.fences().stream())
                .filter(fence -> List.of(languages).contains(fence.language()))
                .toList();
    }

    /** Returns the text of a file. */
    static String text(Path file) {
        return contentOf(file.toFile());
    }

    /** Returns the files in a folder and those below it whose names end so; none if there is no such folder. */
    static Stream<Path> files(Path folder, String suffix) {
        if (!Files.exists(folder)) {
            return Stream.empty();
        }
        try (Stream<Path> files = Files.walk(folder)) {
            return files
                    .filter(Files::isRegularFile)
                    .filter(file -> file.toString().endsWith(suffix))
                    .sorted()
                    .toList()
                    .stream();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Page read(Path file) {
        var page = new Page(
                ROOT.relativize(file), new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        PARSER.parse(text(file)).accept(page.new Collector());
        return page;
    }

    private static String textOf(Node node) {
        var text = new StringBuilder();
        node.accept(new AbstractVisitor() {
            @Override
            public void visit(Text part) {
                text.append(part.getLiteral());
            }

            @Override
            public void visit(Code part) {
                text.append(part.getLiteral());
            }
        });
        return text.toString();
    }

    private final class Collector extends AbstractVisitor {

        @Override
        public void visit(FencedCodeBlock block) {
            String[] info = block.getInfo().split(" ", 2);
            int line = block.getSourceSpans().getFirst().getLineIndex() + 1;
            String from = info.length > 1 && info[1].startsWith("file=") ? info[1].substring("file=".length()) : "";
            fences.add(new Fence(file + ":" + line, info[0], from, block.getLiteral()));
        }

        @Override
        public void visit(Code code) {
            codes.add(code.getLiteral());
        }

        @Override
        public void visit(Link link) {
            links.add(link.getDestination());
            visitChildren(link);
        }

        @Override
        public void visit(Image image) {
            links.add(image.getDestination());
        }

        @Override
        public void visit(Heading heading) {
            anchors.add(textOf(heading)
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-'));
            visitChildren(heading);
        }
    }
}
