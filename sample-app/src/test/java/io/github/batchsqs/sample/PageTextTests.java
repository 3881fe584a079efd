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
}
