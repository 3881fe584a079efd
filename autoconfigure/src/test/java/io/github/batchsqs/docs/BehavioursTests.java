/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every test that the table {@code behaviours.md} beside this class names exists. */
class BehavioursTests {

    private static final Path ROOT = Path.of("..");
    private static final Path TABLE = Path.of("src/test/java/io/github/batchsqs/docs/behaviours.md");
    private static final Pattern NAMED = Pattern.compile("`(\\w+Tests)#(\\w+)`");

    @Test
    void everyTestInTheTableExists() throws IOException {
        Map<String, String> sources = sourcesOfTests();
        var named = NAMED.matcher(Files.readString(TABLE)).results().toList();
        assertThat(named)
                .hasSizeGreaterThanOrEqualTo(80)
                .allSatisfy(test -> assertThat(sources.get(test.group(1)))
                        .as(test.group())
                        .isNotNull()
                        .containsPattern("(void|fun) " + test.group(2) + "\\("));
    }

    private static Map<String, String> sourcesOfTests() throws IOException {
        Map<String, String> sources = new TreeMap<>();
        for (String folder : new String[] {
            "core/src/test/java",
            "autoconfigure/src/test/java",
            "starter-test/src/test/java",
            "s3/src/test/java",
            "kotlin/src/test/kotlin"
        }) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
                sources.putAll(files.filter(file -> file.toString().matches(".*Tests\\.(java|kt)"))
                        .collect(Collectors.toMap(BehavioursTests::nameOf, BehavioursTests::read, (one, same) -> one)));
            }
        }
        return sources;
    }

    private static String nameOf(Path file) {
        return file.getFileName().toString().replaceFirst("\\.(java|kt)$", "");
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new IllegalStateException(unreadable);
        }
    }
}
