/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.docs.Page.Fence;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A block that begins with <code>```java file=some/File.java</code> is in that file, which the build compiles and runs. A
 * line with only {@code …} stands for omitted lines of the file. Indentation and blank lines are ignored.
 */
class QuotesTests {

    static List<Fence> quotes() {
        return Page.all().stream()
                .flatMap(page -> page.fences().stream())
                .filter(fence -> !fence.file().isEmpty())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("quotes")
    void everyQuoteIsInItsFile(Fence fence) throws IOException {
        Path file = Page.ROOT.resolve(fence.file());
        assertThat(file).isRegularFile();
        List<String> lines = strip(Files.readString(file));
        for (List<String> part : parts(strip(fence.text()))) {
            int at = Collections.indexOfSubList(lines, part);
            assertThat(at)
                    .as("%s has%n%s", fence.file(), String.join("\n", part))
                    .isNotNegative();
            lines = lines.subList(at + part.size(), lines.size());
        }
    }

    private static List<String> strip(String text) {
        return text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    }

    private static List<List<String>> parts(List<String> lines) {
        List<List<String>> parts = new ArrayList<>();
        parts.add(new ArrayList<>());
        for (String line : lines) {
            if (line.equals("…")) {
                parts.add(new ArrayList<>());
            } else {
                parts.getLast().add(line);
            }
        }
        return parts;
    }
}
