/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.benchmarks.run;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Repeats the same work: to warm up, and to measure.
 *
 * <p>The warm-up ends when the figure is flat, but not before half of its time, since a figure is flat for some seconds before
 * the last compiler has begun; and when its time has passed. The first round has few messages; every other one has as many as the
 * round before would do in two seconds.
 */
final class Rounds {

    private static final double ROUND_SECONDS = 2;
    private static final int STEP = 1_000;
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
     * @param seconds at most, apart from the round that is running then; 0 for one round without a rule
     * @return {@code null} if there is no rule
     */
    @Nullable
    WarmUp warmUp(double seconds) throws Exception {
        if (work.warmUp() == 0) {
            return null;
        }
        if (seconds == 0) {
            Round unused = once.run(work.warmUp());
            return null;
        }
        List<Double> figures = new ArrayList<>();
        long start = nanoTime.getAsLong();
        size = work.warmUp();
        while (true) {
            Round round = once.run(size);
            System.err.println("Warm-up: " + round);
            figures.add(round.perSecond());
            size = size(round.perSecond());
            double passed = (nanoTime.getAsLong() - start) / NANOS;
            boolean flat = WarmUp.isFlat(figures);
            if (passed >= seconds || (flat && passed >= seconds / 2)) {
                return new WarmUp(figures.size(), passed, flat);
            }
        }
    }

    /** Measures; a round that does not finish in its time is the last one, since the next would start with its backlog. */
    List<Round> measure(int rounds) throws Exception {
        List<Round> measured = new ArrayList<>();
        boolean finished = true;
        while (finished && measured.size() < rounds) {
            Round round = once.run(size);
            measured.add(round);
            finished = round.messages() >= size;
        }
        return measured;
    }

    private int size(double perSecond) {
        int steps = (int) Math.round(perSecond * ROUND_SECONDS / STEP);
        return Math.min(work.messages(), Math.max(1, steps) * STEP);
    }
}
