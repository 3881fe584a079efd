/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.once;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class OnceRowsTests {

    @Test
    void namesBeginWithTheSectionOfThePage() {
        assertThat(OnceSuite.names(List.of()))
                .containsExactly(
                        "inbox/batch-1",
                        "inbox/batch-10",
                        "inbox/batch-100",
                        "outbox/batch-1",
                        "outbox/batch-10",
                        "outbox/batch-100",
                        "outbox/burst",
                        "outbox/open-transaction",
                        "outbox/fleet",
                        "growth/inbox",
                        "growth/inbox-kept",
                        "growth/outbox");
    }

    @Test
    void patternsChooseRowsByTheEndsOfTheirNames() {
        assertThat(OnceSuite.names(List.of("inbox/batch-1", "growth/out*")))
                .containsExactly("inbox/batch-1", "growth/outbox");
    }
}
