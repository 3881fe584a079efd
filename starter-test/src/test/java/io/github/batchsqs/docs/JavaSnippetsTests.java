/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.batchsqs.docs.Page.Fence;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every Java fragment on the pages compiles, as {@link JavaSnippet} describes. */
class JavaSnippetsTests {

    static List<Fence> compiled() {
        return Page.fences("java").stream()
                .filter(fence -> fence.file().isEmpty())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("compiled")
    void everyFragmentCompiles(Fence fence) {
        assertThat(Compiled.ERRORS.get(fence.place())).as(fence.place()).isEmpty();
    }

    /** One run of the compiler for all of them. */
    private static final class Compiled {
        static final Map<String, List<String>> ERRORS = JavaSnippet.compile(compiled());
    }
}
