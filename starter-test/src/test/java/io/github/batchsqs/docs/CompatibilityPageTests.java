/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The page names the combinations of versions that the build tests. */
class CompatibilityPageTests {

    private static final String VERSION = "(\\d+\\.\\d+\\.\\d+)";

    @Test
    void thePageHasEachTestedCombinationAndNoOther() throws IOException {
        List<String> tested = found("../.ci/compatibility/run", "\"" + VERSION + " " + VERSION + "\"");
        assertThat(tested).hasSizeGreaterThanOrEqualTo(4);
        assertThat(found("../docs/compatibility.md", "\\| " + VERSION + " \\| " + VERSION + " \\| ✓ \\| ✓ \\|"))
                .isEqualTo(tested);
    }

    private static List<String> found(String file, String combination) throws IOException {
        return Pattern.compile(combination)
                .matcher(Files.readString(Path.of(file)))
                .results()
                .map(match -> match.group(1) + " with " + match.group(2))
                .toList();
    }
}
