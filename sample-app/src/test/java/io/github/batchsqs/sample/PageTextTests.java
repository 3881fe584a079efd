/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.ClassPathResource;
import org.springframework.web.util.HtmlUtils;

/** What the live page quotes is what the sources and the docs say. */
class PageTextTests {

    private static final Path SOURCES = Path.of("src", "main", "java", "io", "github", "batchsqs", "sample");
    private static final Pattern CODE =
            Pattern.compile("data-source=\"([^\"]+)\"[^>]*><code>(.*?)</code>", Pattern.DOTALL);
    private static final Pattern PRICES =
            Pattern.compile("data-standard=\"([^\"]+)\" data-fifo=\"([^\"]+)\" data-region=\"([^\"]+)\"");

    private final String page = read();

    private static String read() {
        try {
            return new ClassPathResource("static/index.html").getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void theCodeOfEachListenerIsItsSource() throws IOException {
        List<MatchResult> quotes = CODE.matcher(page).results().toList();
        assertThat(quotes).hasSize(3);
        for (MatchResult each : quotes) {
            String quoted = HtmlUtils.htmlUnescape(each.group(2)).indent(4);
            assertThat(Files.readString(SOURCES.resolve(each.group(1)))).contains(quoted);
        }
    }

    @Test
    void thePricesAreThoseOfTheDocs() throws IOException {
        MatchResult prices = PRICES.matcher(page).results().findFirst().orElseThrow();
        assertThat(page)
                .contains("$" + prices.group(1) + " per million requests</a>, FIFO $" + prices.group(2) + ", "
                        + prices.group(3));
        assertThat(Files.readString(Path.of("..", "docs", "cost.md")).replaceAll("\\s+", " "))
                .contains("$" + prices.group(1) + " for a million requests to standard queues and $" + prices.group(2)
                        + " for FIFO, the prices of " + prices.group(3));
    }
}
