/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.run;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Repeats the same work: to warm up, and to measure.
 *
 * <p>The warm-up ends when the figure is flat, but not before half of its rounds, since a figure is flat for some seconds before
 * the last compiler has begun; and when all of its rounds are done. The first round has few messages; every other one has as many
 * as the round before would do in two seconds.
 */
final class Rounds {

    private static final double ROUND_SECONDS = 2;
    private static final int STEP = 1_000;
    private static final int SHORT = 10;
    private static final double NANOS = 1e9;

    private final Work work;
    private final Once once;
    private final LongSupplier nanoTime;
    private int size;

    /** Runs one round. */
    @FunctionalInterface
    interface Once {
        Round run(int messages) throws Exception;
    }

    Rounds(Work work, Once once, LongSupplier nanoTime) {
        this.work = work;
        this.once = once;
        this.nanoTime = nanoTime;
        this.size = work.messages();
    }

    /**
     * Warms up; the measured rounds are then as long as the last round here.
     *
     * @param most rounds; 0 for one round without a rule
     * @return {@code null} if there is no rule
     */
    @Nullable
    WarmUp warmUp(int most) throws Exception {
        if (work.warmUp() == 0) {
            return null;
        }
        if (most == 0) {
            Round unused = once.run(work.warmUp());
            return null;
        }
        List<Double> figures = new ArrayList<>();
        long start = nanoTime.getAsLong();
        size = work.warmUp();
        boolean flat = false;
        while (figures.size() < most && !(flat && 2 * figures.size() >= most)) {
            Round round = once.run(size);
            System.err.println("Warm-up: " + round);
            figures.add(round.perSecond());
            size = size(round.perSecond());
            flat = WarmUp.isFlat(figures);
        }
        return new WarmUp(figures.size(), (nanoTime.getAsLong() - start) / NANOS, flat);
    }

    /** A tenth of a round that nobody measures: after a rest, connections are opened and caches filled again. */
    void wake() throws Exception {
        Round unused = once.run(size / SHORT);
    }

    /** Measures one round. */
    Round measure() throws Exception {
        return once.run(size);
    }

    private int size(double perSecond) {
        int steps = (int) Math.round(perSecond * ROUND_SECONDS / STEP);
        return Math.min(work.messages(), Math.max(1, steps) * STEP);
    }
}
