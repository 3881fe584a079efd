/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CodeLinesTests {

    @Test
    void commentsBlankLinesThePackageAndImportsDoNotCount() {
        assertThat(CodeLines.in("""
                        /* licence */
                        package p;

                        import java.util.List;

                        /**
                         * Documentation.
                         */
                        class C {
                            // a comment
                            /* another */ int one = 1; // behind code

                            int two = /* within
                                code */ 2;
                        }
                        """)).isEqualTo(4);
    }

    @Test
    void commentsInLiteralsAreCode() {
        assertThat(CodeLines.in("""
                        String url = "http://host/*";
                        char quote = '"'; // "
                        String escaped = "\\"/*";
                        String last = "*/";
                        """)).isEqualTo(4);
        assertThat(CodeLines.in("String block = \"\"\"\n    // \"text\"\n    /*\n    \"\"\";\nint next;\n"))
                .isEqualTo(5);
    }
}
