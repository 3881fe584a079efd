/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Decides how many invocations run at once, by the latency of the handler: the limit grows while the latency stays flat, and
 * falls when it rises because of the limit. Pure: no thread, no clock of its own; not safe for use by several threads.
 *
 * <p>The rule is a gradient, the ratio of a baseline to the latency of this moment: at up to 1.5 times the baseline the limit
 * grows, by its square root at most; above, it shrinks by the ratio. It only moves while it is used, because an idle handler
 * shows nothing.
 *
 * <p>The baseline is where this differs from Gradient2 (Netflix concurrency-limits), whose baseline is a long average of the
 * latency itself: with a saturated resource that average follows the queue, and the limit creeps upward for ever. Here a
 * <em>probe</em> measures it. For two generations of invocations the limit is half of what it was:
 *
 * <ul>
 *   <li>The latency stays: it does not come from the limit. It is the new baseline, whether higher or lower than the one
 *       before, and the limit is what it was. So a dependency that becomes slower does not lower the limit.
 *   <li>The latency falls with the limit, below the baseline: the upper half of the limit only queued. The limit stays there,
 *       and another probe follows.
 *   <li>The latency falls with the limit, to the baseline: the baseline is right, and the limit shrinks by the gradient.
 * </ul>
 *
 * <p>A probe follows the first window, each clear rise of the latency, and {@value #PROBE_EVERY} windows without one unless the
 * limit grows freely. Its price is half of the concurrency for about one window of forty; nothing while a resource is saturated,
 * because its queue only gets shorter.
 *
 * <p>Overload, such as a rejected task, lowers the limit by a fifth once in a generation, and holds it for a number of windows
 * that doubles each time: each overload is a failed message.
 */
final class GradientLimit {

    /** The first limit. */
    static final int INITIAL = 16;

    private static final double TOLERANCE = 1.5;
    private static final double LOG_TOLERANCE = Math.log(TOLERANCE);

    /** The part of the limit that runs on average while it is used. */
    private static final double USED = 0.75;

    /** The ratio below which a probe looks for the reason. */
    private static final double CLEAR_RISE = 0.75;

    private static final int PROBE_AFTER = 3;
    private static final int PROBE_EVERY = 40;

    /** Above this ratio the limit grows freely. */
    private static final double FREE_GROWTH = 1.25;

    /** A latency below the baseline by more than this is news, in logarithms: 15 percent. */
    private static final double NEWS = Math.log(1.15);

    /** Of a latency that depends on the limit as its square root at least, the limit is the reason. */
    private static final double SLOPE = 0.5;

    private static final double TOWARD_LOWER_LATENCY = 0.2;
    private static final double MAX_SHRINK = 0.5;
    private static final double AFTER_OVERLOAD = 0.8;
    private static final double WELL_ABOVE_OVERLOAD = 1.2;
    private static final int MIN_HOLD = 16;
    private static final int MAX_HOLD = 1024;

    private final int max;
    private final double[] baselines = new double[LatencyWindow.SIZE_CLASSES];
    private final LatencyWindow window;
    private double limit;
    private long changedAt;
    private int windowsSinceProbe;
    private @Nullable Probe probe;
    private boolean firstGeneration;
    private int hold;
    private int nextHold = MIN_HOLD;
    private double overloadedAt;

    /**
     * A probe that runs.
     *
     * @param limit the limit before it
     * @param latency the latency before it
     */
    private record Probe(double limit, double latency, int sizeClass) {}

    GradientLimit(int max, long now) {
        this.max = max;
        this.limit = initial(max);
        this.changedAt = now;
        this.window = new LatencyWindow(now);
        Arrays.fill(baselines, Double.NaN);
    }

    /** Returns the first limit of those with this maximum. */
    static int initial(int max) {
        return Math.min(INITIAL, max);
    }

    /** Returns how many invocations may run at once, 1 to the maximum. */
    int limit() {
        return (int) limit;
    }

    /** Returns whether a probe runs. */
    boolean probing() {
        return probe != null;
    }

    /**
     * An invocation ended. One that failed counts only if it took longer than the baseline: a failure is often fast.
     *
     * @param messages how many it had, at least 1
     */
    void ended(int messages, long startedAt, long now, boolean failed) {
        double took = Math.max(1, now - startedAt);
        window.addBusy(took);
        if (startedAt - changedAt < 0) {
            return; // it ran beside another number of invocations
        }
        double latency = Math.log(took);
        int sizeClass = LatencyWindow.sizeClass(messages);
        if (failed && !(latency > baselines[sizeClass])) {
            return;
        }
        if (firstGeneration) { // it waited behind those that had started before
            firstGeneration = false;
            changedAt = now;
            window.open(now);
            return;
        }
        window.add(sizeClass, latency);
        if (window.isFull(limit(), now)) {
            close(now);
        }
    }

    /** Something refused work that came in an invocation, which started then. Counts once in a generation. */
    void overloaded(long startedAt, long now) {
        if (startedAt - changedAt < 0) {
            return;
        }
        if (hold == 0) {
            nextHold = limit > overloadedAt * WELL_ABOVE_OVERLOAD ? MIN_HOLD : Math.min(MAX_HOLD, 2 * nextHold);
        }
        hold = nextHold;
        overloadedAt = limit;
        probe = null;
        firstGeneration = false;
        changedAt = now;
        change(limit * AFTER_OVERLOAD, now);
        window.open(now);
    }

    /** An executor refused a batch. Counts once in the shortest window. */
    void refused(long now) {
        overloaded(now - LatencyWindow.MIN_LENGTH, now);
    }

    private void close(long now) {
        boolean used = window.running(now) >= USED * limit();
        int sizeClass = window.sizeClass();
        double latency = window.latency();
        Probe ended = probe;
        if (ended == null) {
            if (used) {
                decide(sizeClass, latency, now);
            }
        } else {
            probe = null;
            windowsSinceProbe = 0;
            if (used && ended.sizeClass == sizeClass) {
                decide(ended, latency, now);
            } else {
                change(ended.limit, now);
            }
        }
        window.open(now);
    }

    private void decide(int sizeClass, double latency, long now) {
        windowsSinceProbe++;
        if (Double.isNaN(baselines[sizeClass])) {
            baselines[sizeClass] = latency;
            probe(sizeClass, latency, now);
            return;
        }
        if (latency < baselines[sizeClass]) {
            baselines[sizeClass] += (latency - baselines[sizeClass]) * TOWARD_LOWER_LATENCY;
        }
        double gradient = gradient(baselines[sizeClass], latency);
        if (needsProbe(gradient)) {
            probe(sizeClass, latency, now);
        } else if (gradient < 1) {
            change(limit * Math.max(MAX_SHRINK, gradient), now);
        } else if (hold > 0) {
            hold--;
        } else {
            change(limit + Math.sqrt(limit) * Math.min(1, (gradient - 1) / (TOLERANCE - 1)), now);
        }
    }

    private static double gradient(double baseline, double latency) {
        return Math.exp(LOG_TOLERANCE + baseline - latency);
    }

    private boolean needsProbe(double gradient) {
        return gradient < CLEAR_RISE
                ? windowsSinceProbe >= PROBE_AFTER
                : gradient < FREE_GROWTH && windowsSinceProbe >= PROBE_EVERY;
    }

    private void probe(int sizeClass, double latency, long now) {
        int half = limit() / 2;
        if (half == 0) { // one invocation waits for no other
            baselines[sizeClass] = latency;
            windowsSinceProbe = 0;
            return;
        }
        probe = new Probe(limit, latency, sizeClass);
        firstGeneration = true;
        change(half, now);
    }

    /** A probe has ended: the limit is still half of what it was. */
    private void decide(Probe ended, double latency, long now) {
        double baseline = baselines[ended.sizeClass];
        double slope = (ended.latency - latency) / Math.log((int) ended.limit / (double) limit());
        if (slope < SLOPE) {
            baselines[ended.sizeClass] = latency;
            change(ended.limit, now);
        } else if (latency < baseline - NEWS) {
            baselines[ended.sizeClass] = latency;
            probe(ended.sizeClass, latency, now);
        } else {
            baselines[ended.sizeClass] = Math.min(latency, baseline);
            change(ended.limit * Math.clamp(gradient(baseline, ended.latency), MAX_SHRINK, 1), now);
        }
    }

    private void change(double next, long now) {
        int before = limit();
        limit = Math.clamp(next, 1.0, max);
        if (limit() != before) {
            changedAt = now;
        }
    }
}
