/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.senders;

import io.github.batchsqs.histories.Histories;
import io.github.batchsqs.model.time.Rewriter;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Thousands of generated histories of outboxes, against what SQS stored. The properties are those of the histories of listeners. */
class OutboxHistoriesTests {

    private static final int HISTORIES = Integer.getInteger("batchsqs.histories.outbox", 200);

    private final Histories<OutboxPlan> histories = new Histories<>(OutboxPlan::of, OutboxHistory::run);

    @BeforeAll
    static void rewrite() {
        Rewriter.install("io.github.batchsqs");
    }

    @Test
    void theLawsHoldWhateverHappens() {
        if (Boolean.getBoolean("batchsqs.history.trace")) {
            histories.trace(Long.getLong("batchsqs.history", Histories.FIRST)).forEach(System.out::println);
        }
        histories.check(
                "outboxes",
                HISTORIES,
                12,
                (seed, failure, trace) -> histories.inShort(seed, failure, 100, OutboxPlan::steps, OutboxPlan::with));
    }

    @Test
    void aSeedDecidesItsHistory() {
        histories.checkThatSeedsDecide(20);
    }
}
