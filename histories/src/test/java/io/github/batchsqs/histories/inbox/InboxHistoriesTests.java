/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.github.batchsqs.histories.laws.Broken;
import io.github.batchsqs.model.time.Rewriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Generated histories of listeners with the inbox, on a database in memory. The properties are those of the histories of listeners, but {@code batchsqs.histories.inbox} for their number. */
class InboxHistoriesTests {

    private static final int HISTORIES = Integer.getInteger("batchsqs.histories.inbox", 150);
    private static final long FIRST = Long.getLong("batchsqs.histories.first", 1);

    @BeforeAll
    static void rewrite() {
        Rewriter.install("io.github.batchsqs");
    }

    @Test
    void theLawsHoldWhateverHappens() {
        Long wanted = Long.getLong("batchsqs.history");
        boolean collect = Boolean.getBoolean("batchsqs.histories.all");
        Map<String, List<Long>> failures = new TreeMap<>();
        long first = wanted == null ? FIRST : wanted;
        long last = wanted == null ? FIRST + HISTORIES : wanted + 1;
        long began = System.nanoTime();
        for (long seed = first; seed < last; seed++) {
            List<String> trace = new ArrayList<>();
            Throwable failure = InboxHistory.run(InboxPlan.of(seed), trace);
            if (failure != null && !collect) {
                fail("The history of seed " + seed + " breaks a law; replay it with -Dbatchsqs.history=" + seed + "\n"
                        + failure + "\n" + InboxPlan.of(seed) + "\nWhat happened:\n  " + String.join("\n  ", trace));
            } else if (failure != null) {
                String kind = failure instanceof Broken law ? law.law() : String.valueOf(failure);
                failures.computeIfAbsent(kind, any -> new ArrayList<>()).add(seed);
            }
        }
        System.out.printf("%d histories of inboxes in %.1f s%n", last - first, (System.nanoTime() - began) / 1e9);
        failures.forEach((kind, seeds) -> System.out.println(seeds.size() + " × " + kind + ": " + seeds));
        assertThat(failures).isEmpty();
        assertThat(Rewriter.unknown()).isEmpty();
    }

    @Test
    void aSeedDecidesItsHistory() {
        for (long seed = FIRST; seed < FIRST + 10; seed++) {
            List<String> trace = new ArrayList<>();
            List<String> again = new ArrayList<>();
            var unused = InboxHistory.run(InboxPlan.of(seed), trace);
            unused = InboxHistory.run(InboxPlan.of(seed), again);
            assertThat(again).as("seed %s", seed).isEqualTo(trace);
        }
    }
}
