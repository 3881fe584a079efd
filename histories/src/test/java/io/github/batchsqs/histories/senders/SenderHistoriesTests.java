/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.senders;

import io.github.batchsqs.histories.Histories;
import io.github.batchsqs.model.time.Rewriter;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Thousands of generated histories of senders, against what SQS stored. The properties are those of the histories of listeners. */
class SenderHistoriesTests {

    private static final int HISTORIES = Integer.getInteger("batchsqs.histories", 1_600);

    private final Histories<SenderPlan> histories = new Histories<>(SenderPlan::of, SenderHistory::run);

    @BeforeAll
    static void rewrite() {
        Rewriter.install("io.github.batchsqs");
    }

    @Test
    void theLawsHoldWhateverHappens() {
        histories.check(
                "senders",
                HISTORIES,
                12,
                (seed, failure, trace) -> histories.inShort(seed, failure, 300, SenderPlan::steps, SenderPlan::with));
    }

    @Test
    void aSeedDecidesItsHistory() {
        histories.checkThatSeedsDecide(20);
    }
}
