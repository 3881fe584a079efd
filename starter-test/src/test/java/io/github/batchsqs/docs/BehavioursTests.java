/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every test that the table {@code behaviours.md} beside this class names exists. */
class BehavioursTests {

    private static final Path TABLE = Path.of("src/test/java/io/github/batchsqs/docs/behaviours.md");
    private static final Pattern NAMED = Pattern.compile("`(\\w+Tests)#(\\w+)`");

    @Test
    void everyTestInTheTableExists() {
        Map<String, String> sources = ProseTests.tests();
        var named = NAMED.matcher(Page.text(TABLE)).results().toList();

        assertThat(named)
                .hasSizeGreaterThanOrEqualTo(80)
                .allSatisfy(test -> assertThat(sources.get(test.group(1)))
                        .as(test.group())
                        .isNotNull()
                        .containsPattern("(void|fun) " + test.group(2) + "\\("));
    }
}
