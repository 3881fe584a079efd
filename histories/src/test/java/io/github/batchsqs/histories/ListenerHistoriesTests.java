/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.github.batchsqs.model.time.Rewriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Thousands of generated histories of listeners, against the laws. A seed decides its history: {@code -Dbatchsqs.history=4711} replays one and
 * prints what happened, {@code -Dbatchsqs.histories=1000000} runs so many.
 */
class ListenerHistoriesTests {

    private static final int HISTORIES = Integer.getInteger("batchsqs.histories", 8_000);
    private static final long FIRST = Long.getLong("batchsqs.histories.first", 1);

    @BeforeAll
    static void rewrite() {
        Rewriter.install("io.github.batchsqs");
    }

    @Test
    void theLawsHoldWhateverHappens() {
        Long wanted = Long.getLong("batchsqs.history");
        if (wanted != null) {
            replay(wanted);
            return;
        }
        boolean collect = Boolean.getBoolean("batchsqs.histories.all");
        Map<String, List<Long>> failures = new TreeMap<>();
        long steps = 0;
        long began = System.nanoTime();
        for (long seed = FIRST; seed < FIRST + HISTORIES; seed++) {
            History.Result result = History.run(Plan.of(seed), null);
            steps += result.steps();
            String kind = result.kind();
            if (kind != null && !collect) {
                fail(report(seed, result, kind));
            } else if (kind != null) {
                failures.computeIfAbsent(kind, any -> new ArrayList<>()).add(seed);
            }
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        System.out.printf(
                "%d histories of listeners in %.1f s, %d switches of threads each; left out: %s%n",
                HISTORIES, seconds, steps / HISTORIES, Ingredient.leftOut());
        failures.forEach((kind, seeds) ->
                System.out.println(seeds.size() + " × " + kind + ": " + seeds.subList(0, Math.min(12, seeds.size()))));
        assertThat(failures).isEmpty();
        Histories.checkTheClasses();
    }

    @Test
    void aSeedDecidesItsHistory() {
        for (long seed = FIRST; seed < FIRST + 20; seed++) {
            assertThat(trace(Plan.of(seed))).as("seed %s", seed).isEqualTo(trace(Plan.of(seed)));
        }
    }

    private static List<String> trace(Plan plan) {
        List<String> trace = new ArrayList<>();
        trace.add(String.valueOf(History.run(plan, trace).steps()));
        return trace;
    }

    private static void replay(long seed) {
        Plan plan = Plan.of(seed);
        History.Result result = History.run(plan, null);
        String kind = result.kind();
        System.out.println(kind == null ? "Seed " + seed + " breaks no law" : report(seed, result, kind));
        if (Boolean.getBoolean("batchsqs.history.trace")) {
            List<String> trace = new ArrayList<>();
            var unused = History.run(kind == null ? plan : Shrinking.of(plan, kind), trace);
            trace.forEach(System.out::println);
        }
        assertThat(kind).isNull();
    }

    private static String report(long seed, History.Result result, String kind) {
        Plan shortest = Shrinking.of(Plan.of(seed), kind);
        List<String> trace = new ArrayList<>();
        History.Result again = History.run(shortest, trace);
        StringBuilder text = new StringBuilder(
                "The history of seed " + seed + " breaks a law; replay it with -Dbatchsqs.history=" + seed + "\n"
                        + result.failure() + "\nIn short: " + again.failure() + "\n" + shortest.setup() + "\n");
        shortest.steps().forEach(step -> text.append("  ").append(step).append('\n'));
        text.append("What happened:\n");
        trace.stream()
                .skip(Math.max(0, trace.size() - 40))
                .forEach(line -> text.append("  ").append(line).append('\n'));
        if (Boolean.getBoolean("batchsqs.history.dump")) {
            text.append(again.dump());
        }
        return text.toString();
    }
}
