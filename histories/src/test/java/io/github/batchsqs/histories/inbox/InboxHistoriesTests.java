/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.inbox;

import io.github.batchsqs.histories.Histories;
import io.github.batchsqs.model.time.Rewriter;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Generated histories of listeners with the inbox, on a database in memory. The properties are those of the histories of listeners, but {@code batchsqs.histories.inbox} for their number. */
class InboxHistoriesTests {

    private static final int HISTORIES = Integer.getInteger("batchsqs.histories.inbox", 200);

    private final Histories<InboxPlan> histories = new Histories<>(InboxPlan::of, InboxHistory::run);

    @BeforeAll
    static void rewrite() {
        Rewriter.install("io.github.batchsqs");
    }

    @Test
    void theLawsHoldWhateverHappens() {
        histories.check("inboxes", HISTORIES, Integer.MAX_VALUE, histories::report);
    }

    @Test
    void aSeedDecidesItsHistory() {
        histories.checkThatSeedsDecide(10);
    }
}
