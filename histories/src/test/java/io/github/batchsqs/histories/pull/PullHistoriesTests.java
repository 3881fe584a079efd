/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.pull;

import io.github.batchsqs.histories.Histories;
import io.github.batchsqs.model.time.Rewriter;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Thousands of generated histories of the template's receives. The properties are those of the histories of listeners. */
class PullHistoriesTests {

    private static final int HISTORIES = Integer.getInteger("batchsqs.histories", 1_600);

    private final Histories<PullPlan> histories = new Histories<>(PullPlan::of, PullHistory::run);

    @BeforeAll
    static void rewrite() {
        Rewriter.install("io.github.batchsqs");
    }

    @Test
    void theLawsHoldWhateverHappens() {
        histories.check("receives", HISTORIES, 12, histories::report);
    }

    @Test
    void aSeedDecidesItsHistory() {
        histories.checkThatSeedsDecide(20);
    }
}
