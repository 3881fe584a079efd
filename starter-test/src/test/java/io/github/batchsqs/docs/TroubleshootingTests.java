/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.docs.Page.Fence;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each log line and error that the page of symptoms quotes is in the sources. {@code …} in a quoted line stands for what differs;
 * the parts between are literals of one source, or of several.
 */
class TroubleshootingTests {

    /** The literals of a source as one text: most lines are made of several. */
    private static final List<String> TEXTS = Sources.literals().stream()
            .map(literals -> String.join("", literals))
            .toList();

    static List<Fence> quotes() {
        return Page.fences("text").stream()
                .filter(fence -> fence.place().startsWith("docs/troubleshooting.md:"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("quotes")
    void everyQuotedLineIsInTheSources(Fence quote) {
        List<String> parts = parts(quote.text()).toList();
        assertThat(parts).anyMatch(part -> part.length() > 15);
        assertThat(parts.stream().filter(part -> TEXTS.stream().noneMatch(text -> text.contains(part))))
                .as(quote.text())
                .isEmpty();
    }

    @Test
    void thePageHasManySymptoms() {
        assertThat(quotes()).hasSizeGreaterThan(20);
    }

    private static Stream<String> parts(String quote) {
        return Arrays.stream(quote.split("…")).map(String::strip).filter(part -> !part.isEmpty());
    }
}
