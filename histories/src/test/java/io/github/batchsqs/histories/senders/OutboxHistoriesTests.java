/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories.senders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.github.batchsqs.histories.laws.Broken;
import io.github.batchsqs.model.time.Rewriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Thousands of generated histories of outboxes, against what SQS stored. The properties are those of the histories of listeners. */
class OutboxHistoriesTests {

    private static final int HISTORIES = Integer.getInteger("batchsqs.histories.outbox", 200);
    private static final long FIRST = Long.getLong("batchsqs.histories.first", 1);
    private static final int MAX_RUNS = 100;

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
        if (Boolean.getBoolean("batchsqs.history.trace")) {
            trace(first).forEach(System.out::println);
        }
        for (long seed = first; seed < last; seed++) {
            Throwable failure = OutboxHistory.run(OutboxPlan.of(seed), new ArrayList<>());
            if (failure != null && !collect) {
                fail(report(seed, failure));
            } else if (failure != null) {
                failures.computeIfAbsent(kind(failure), any -> new ArrayList<>())
                        .add(seed);
            }
        }
        System.out.printf("%d histories of outboxes in %.1f s%n", last - first, (System.nanoTime() - began) / 1e9);
        failures.forEach((kind, seeds) ->
                System.out.println(seeds.size() + " × " + kind + ": " + seeds.subList(0, Math.min(12, seeds.size()))));
        assertThat(failures).isEmpty();
        assertThat(Rewriter.unknown()).isEmpty();
    }

    @Test
    void aSeedDecidesItsHistory() {
        for (long seed = FIRST; seed < FIRST + 20; seed++) {
            assertThat(trace(seed)).as("seed %s", seed).isEqualTo(trace(seed));
        }
    }

    private static List<String> trace(long seed) {
        List<String> trace = new ArrayList<>();
        var unused = OutboxHistory.run(OutboxPlan.of(seed), trace);
        return trace;
    }

    private static String kind(@Nullable Throwable failure) {
        return failure instanceof Broken broken ? broken.law() : String.valueOf(failure);
    }

    private static String report(long seed, Throwable failure) {
        OutboxPlan shortest = OutboxPlan.of(seed);
        int runs = 0;
        for (int size = shortest.steps().size() / 2; size >= 1; size /= 2) {
            for (int from = 0; from < shortest.steps().size() && runs < MAX_RUNS; runs++) {
                List<OutboxPlan.Step> rest = new ArrayList<>(shortest.steps());
                rest.subList(from, Math.min(rest.size(), from + size)).clear();
                if (kind(failure).equals(kind(OutboxHistory.run(shortest.with(rest), new ArrayList<>())))) {
                    shortest = shortest.with(rest);
                } else {
                    from += size;
                }
            }
        }
        List<String> trace = new ArrayList<>();
        Throwable again = OutboxHistory.run(shortest, trace);
        return "The history of seed " + seed + " breaks a law; replay it with -Dbatchsqs.history=" + seed + "\n"
                + failure + "\nIn short: " + again + "\n" + shortest + "\nWhat happened:\n  "
                + String.join("\n  ", trace);
    }
}
