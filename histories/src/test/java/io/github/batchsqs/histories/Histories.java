/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.histories;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.github.batchsqs.histories.laws.Broken;
import io.github.batchsqs.model.time.Rewriter;
import io.github.batchsqs.model.time.VirtualEngineLock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Generated histories of one kind. The properties are those of the histories of listeners.
 *
 * @param <P> what a seed makes of a history
 */
public final class Histories<P> {

    public static final long FIRST = Long.getLong("batchsqs.histories.first", 1);

    private final LongFunction<P> plans;
    private final BiFunction<P, List<String>, @Nullable Throwable> history;

    /**
     * Knows how to run the history of a seed.
     *
     * @param history runs a plan and adds to a trace what happens; returns the law that the plan breaks, or {@code null}
     */
    public Histories(LongFunction<P> plans, BiFunction<P, List<String>, @Nullable Throwable> history) {
        this.plans = plans;
        this.history = history;
    }

    /** What is told of the first history that breaks a law. */
    @FunctionalInterface
    public interface Report {

        /** {@return the text, which a trace of this very run may be part of} */
        String of(long seed, Throwable failure, List<String> trace);
    }

    /**
     * Runs histories, or the one that is to be replayed, and fails if one breaks a law.
     *
     * @param what takes part in the histories
     * @param shown how many seeds are printed of those that break one law
     */
    public void check(String what, int number, int shown, Report report) {
        Long wanted = Long.getLong("batchsqs.history");
        boolean collect = Boolean.getBoolean("batchsqs.histories.all");
        Map<String, List<Long>> failures = new TreeMap<>();
        long first = wanted == null ? FIRST : wanted;
        long last = wanted == null ? FIRST + number : wanted + 1;
        long began = System.nanoTime();
        for (long seed = first; seed < last; seed++) {
            List<String> trace = new ArrayList<>();
            Throwable failure = history.apply(plans.apply(seed), trace);
            if (failure != null && !collect) {
                fail(report.of(seed, failure, trace));
            } else if (failure != null) {
                failures.computeIfAbsent(kind(failure), any -> new ArrayList<>())
                        .add(seed);
            }
        }
        System.out.printf("%d histories of %s in %.1f s%n", last - first, what, (System.nanoTime() - began) / 1e9);
        failures.forEach((kind, seeds) -> System.out.println(
                seeds.size() + " × " + kind + ": " + seeds.subList(0, Math.min(shown, seeds.size()))));
        assertThat(failures).isEmpty();
        checkTheClasses();
    }

    /** Fails if a class could not be rewritten, or takes engine locks inside one another on virtual threads. */
    static void checkTheClasses() {
        assertThat(Rewriter.unknown()).isEmpty();
        assertThat(VirtualEngineLock.nested())
                .as("where a virtual thread takes an engine lock inside another")
                .isEmpty();
    }

    /** Runs each of the first histories twice. */
    public void checkThatSeedsDecide(int number) {
        for (long seed = FIRST; seed < FIRST + number; seed++) {
            assertThat(trace(seed)).as("seed %s", seed).isEqualTo(trace(seed));
        }
    }

    /** {@return what happens in the history of a seed} */
    public List<String> trace(long seed) {
        List<String> trace = new ArrayList<>();
        var unused = history.apply(plans.apply(seed), trace);
        return trace;
    }

    /** Reports a history of the plan as it is. */
    public String report(long seed, Throwable failure, List<String> trace) {
        return report(seed, failure.toString(), plans.apply(seed), trace);
    }

    /** Reports the shortest history that breaks the same law: leaves out steps, many at first. */
    public <S> String inShort(
            long seed, Throwable failure, int maxRuns, Function<P, List<S>> steps, BiFunction<P, List<S>, P> with) {
        P shortest = plans.apply(seed);
        int runs = 0;
        for (int size = steps.apply(shortest).size() / 2; size >= 1; size /= 2) {
            for (int from = 0; from < steps.apply(shortest).size() && runs < maxRuns; runs++) {
                List<S> rest = new ArrayList<>(steps.apply(shortest));
                rest.subList(from, Math.min(rest.size(), from + size)).clear();
                P shorter = with.apply(shortest, rest);
                if (kind(failure).equals(kind(history.apply(shorter, new ArrayList<>())))) {
                    shortest = shorter;
                } else {
                    from += size;
                }
            }
        }
        List<String> trace = new ArrayList<>();
        Throwable again = history.apply(shortest, trace);
        return report(seed, failure + "\nIn short: " + again, shortest, trace);
    }

    private static String kind(@Nullable Throwable failure) {
        return failure instanceof Broken broken ? broken.law() : String.valueOf(failure);
    }

    private static String report(long seed, String failure, Object plan, List<String> trace) {
        return "The history of seed " + seed + " breaks a law; replay it with -Dbatchsqs.history=" + seed + "\n"
                + failure + "\n" + plan + "\nWhat happened:\n  " + String.join("\n  ", trace);
    }
}
