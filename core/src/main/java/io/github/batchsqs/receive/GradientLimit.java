/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.receive;

import io.github.batchsqs.listener.ListenerOptions;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Decides how many invocations run at once, by the latency of the handler: the limit grows while the latency stays flat, and
 * falls when it rises because of the limit. Pure: no thread, no clock of its own; not safe for use by several threads.
 *
 * <p>The rule is a gradient, the ratio of a baseline to the latency of this moment: at up to 1.5 times the baseline the limit
 * grows, by its square root at most; above, it stays. It only moves while it is used, because an idle handler shows nothing.
 * A latency alone never lowers it: a <em>probe</em> must have shown that the limit is the reason. From the start until the latency
 * rises for the first time, or something is overloaded, the limit doubles instead, as TCP does in its slow start: of an excess, the
 * next probe takes back what is more than one doubling.
 *
 * <p>The baseline is where this differs from Gradient2 (Netflix concurrency-limits), whose baseline is a long average of the
 * latency itself: with a saturated resource that average follows the queue, and the limit creeps upward for ever. Here a probe
 * measures it. For one window of invocations the limit is half of what it was:
 *
 * <ul>
 *   <li>The latency stays: it does not come from the limit, which is what it was. The baseline moves to it: downward at once, upward by a
 *       factor of e in ten minutes. So a dependency that becomes slower does not lower the limit, and slowly permits growth again.
 *   <li>The latency falls with the limit, below the baseline: the upper half of the limit only queued. The limit stays there,
 *       and another probe follows.
 *   <li>The latency falls with the limit, to the baseline: the baseline is right, and the limit shrinks by the gradient.
 *   <li>The latency falls clearly, but by less than the square root of the limit: others wait in the same queue. The limit shrinks by the
 *       gradient, not below the first one, so that it is not worse than a fixed number.
 *   <li>The latency falls far more than the limit, or the probe takes too long: all is as before.
 * </ul>
 *
 * <p>Of many listeners, or instances, that share a saturated resource, none sees its part of the queue. All together climb slowly then: in
 * the simulation to about twice their first limits in ten minutes.
 *
 * <p>A probe follows the first window, each clear rise of the latency, and {@value #PROBE_EVERY} windows without one unless the
 * limit grows freely. Its price is half of the concurrency for about one window of forty; nothing while a resource is
 * saturated, because its queue only gets shorter. One invocation alone waits for no other, so it needs no probe.
 *
 * <p>Overload, such as a rejected task, lowers the limit by a fifth once in a generation, and holds it for a time that doubles
 * each time, up to a minute: each overload is a failed message.
 */
final class GradientLimit {

    /** The first limit. */
    static final int INITIAL = ListenerOptions.AUTO_CONCURRENCY_START;

    private static final double TOLERANCE = 1.5;
    private static final double LOG_TOLERANCE = Math.log(TOLERANCE);

    /** The part of the limit that runs on average while it is used. */
    private static final double USED = 0.75;

    /** The ratio below which a probe looks for the reason, when so many windows in a row are there. */
    private static final double CLEAR_RISE = 0.8;

    private static final int RISEN_WINDOWS = 3;
    private static final int PROBE_EVERY = 40;

    /** Above this ratio the limit grows freely. */
    private static final double FREE_GROWTH = 1.25;

    /** A latency below the baseline by more than this is news, in logarithms: 15 percent. */
    private static final double NEWS = Math.log(1.15);

    /**
     * Of a latency that falls by a seventh of the limit's fall at least, the limit is a part of the reason: of n listeners with one
     * resource each sees an n-th of the queue.
     */
    private static final double SLOPE = 0.5;

    /**
     * The baseline rises by a factor of e in so many nanoseconds, at most by this factor at once, in logarithms: of many listeners
     * with one saturated resource none sees its part of the queue.
     */
    private static final double RISE_TIME = Duration.ofMinutes(10).toNanos();

    private static final double MAX_RISE = 0.5;

    /** Of a latency that falls more than the square of the limit, something else is the reason. */
    private static final double MAX_SLOPE = 2;

    /** Two latencies differ if they do by so many standard errors. */
    private static final double STANDARD_ERRORS = 3;

    /** Two latencies that differ by less are equal, in logarithms: two percent. */
    private static final double LEAST_CLEAR = 0.02;

    /** So much below the baseline, in logarithms, is no chance: more than three standard errors of a window. */
    private static final double CLEARLY_LOWER = 0.3;

    private static final double TOWARD_LOWER_LATENCY = 0.2;
    private static final double MAX_SHRINK = 0.5;
    private static final double AFTER_OVERLOAD = 0.8;
    private static final double WELL_ABOVE_OVERLOAD = 1.2;
    private static final long MIN_HOLD = Duration.ofSeconds(2).toNanos();
    private static final long MAX_HOLD = Duration.ofMinutes(1).toNanos();

    /** A probe, and a time in which nothing ends, may last so many windows. */
    private static final int PATIENCE = 4;

    private static final long MIN_PATIENCE = Duration.ofSeconds(1).toNanos();

    private final int max;
    private final double[] baselines = new double[LatencyWindow.SIZE_CLASSES];
    private final LatencyWindow window;
    private double limit;
    private long changedAt;

    /** When an invocation ended last, or places were free. */
    private long movedAt;

    /** The latency of the last window that was used, in nanoseconds, and what follows from it and its length. */
    private long latency = LatencyWindow.MIN_LENGTH;

    private long patience = MIN_PATIENCE;

    private int windowsSinceProbe;
    private int probeEvery;
    private long roseAt;
    private int risenWindows;
    private @Nullable Probe probe;
    private boolean firstGeneration;

    /** Whether the latency has never risen since the start. */
    private boolean doubling = true;

    private long loweredAt;
    private long lowerableAt;
    private long heldUntil;
    private long growableAt;
    private long hold = MIN_HOLD;
    private double overloadedAt;
    private long overloadTook;

    /**
     * A probe that runs.
     *
     * @param limit the limit before it
     * @param latency the latency before it
     * @param variance the square of its standard error
     */
    private record Probe(int limit, int sizeClass, double latency, double variance, long startedAt) {}

    GradientLimit(int max, long now) {
        this.max = max;
        this.limit = initial(max);
        this.roseAt = now;
        this.changedAt = now;
        this.movedAt = now;
        this.loweredAt = now;
        this.lowerableAt = now;
        this.heldUntil = now;
        this.growableAt = now;
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
        endOverdueProbe(now);
        movedAt = now;
        double took = Math.max(1, now - startedAt);
        window.addBusy(took);
        if (startedAt - changedAt < 0) {
            return; // it ran beside another number of invocations
        }
        double logarithm = Math.log(took);
        int sizeClass = LatencyWindow.sizeClass(messages);
        if (failed && !(logarithm > baselines[sizeClass])) {
            return;
        }
        if (firstGeneration) { // it waited behind those that had started before
            firstGeneration = false;
            changedAt = now;
            window.open(now);
            return;
        }
        window.add(sizeClass, logarithm);
        if (window.isFull(limit(), now)) {
            close(now);
        }
    }

    /**
     * Time passes. Invocations that hang hold their places, and may be as many as a low limit has: a probe ends in time, and
     * when nothing ends any more, the limit is the first one at least.
     *
     * @param running how many invocations run
     */
    void tick(int running, long now) {
        endOverdueProbe(now);
        if (running < limit()) {
            movedAt = now;
        } else if (now - movedAt > patience) {
            change(Math.max(limit, initial(max)), now);
        }
    }

    private void endOverdueProbe(long now) {
        if (probe != null && now - probe.startedAt > patience) {
            change(endProbe(probe), now);
            window.open(now);
        }
    }

    /** Ends the probe, and returns the limit before it. */
    private int endProbe(Probe ended) {
        probe = null;
        firstGeneration = false;
        windowsSinceProbe = 0;
        risenWindows = 0;
        return ended.limit;
    }

    /** Something refused work that came in an invocation, which started then. Counts once in a generation. */
    void overloaded(long startedAt, long now) {
        if (startedAt - loweredAt < 0 || now - lowerableAt < 0) {
            return;
        }
        double before = probe == null ? limit : endProbe(probe);
        if (now - heldUntil >= 0) {
            hold = before > overloadedAt * WELL_ABOVE_OVERLOAD ? MIN_HOLD : Math.min(MAX_HOLD, 2 * hold);
        }
        doubling = false;
        overloadedAt = before;
        overloadTook = Math.min(MAX_HOLD, now - startedAt);
        heldUntil = now + Math.max(hold, overloadTook);
        growableAt = heldUntil;
        loweredAt = now;
        lowerableAt = now + Math.max(LatencyWindow.MIN_LENGTH, latency);
        change(before * AFTER_OVERLOAD, now);
        window.open(now);
    }

    /** An executor refused a batch. */
    void refused(long now) {
        overloaded(now, now);
    }

    private void close(long now) {
        boolean used = window.running(now) >= USED * limit();
        Probe ended = probe;
        if (ended == null) {
            if (used) {
                int sizeClass = window.sizeClass();
                double current = window.latency(sizeClass);
                latency = (long) Math.exp(current);
                patience = Math.max(MIN_PATIENCE, PATIENCE * (latency + window.length(now)));
                decide(sizeClass, current, now);
            }
        } else {
            int before = endProbe(ended);
            if (used && window.knows(ended.sizeClass)) {
                decide(ended, window.latency(ended.sizeClass), now);
            } else {
                change(before, now);
            }
        }
        window.open(now);
    }

    private void decide(int sizeClass, double current, long now) {
        windowsSinceProbe++;
        boolean first = Double.isNaN(baselines[sizeClass]);
        if (first || limit() == 1 || current < baselines[sizeClass] - CLEARLY_LOWER) {
            baselines[sizeClass] = current;
        } else if (current < baselines[sizeClass]) {
            baselines[sizeClass] += (current - baselines[sizeClass]) * TOWARD_LOWER_LATENCY;
        }
        double gradient = gradient(baselines[sizeClass], current);
        risenWindows = gradient < CLEAR_RISE ? risenWindows + 1 : 0;
        doubling &= gradient >= FREE_GROWTH;
        if (limit() > 1 && (first || needsProbe(gradient))) {
            probe(sizeClass, current, now);
        } else if (gradient > 1 && now - growableAt >= 0) {
            change(limit + growth(gradient), now);
            if (limit < overloadedAt * WELL_ABOVE_OVERLOAD) {
                growableAt = now + overloadTook; // whether this is too many shows later
            }
        }
    }

    private double growth(double gradient) {
        return doubling ? limit : Math.sqrt(limit) * Math.min(1, (gradient - 1) / (TOLERANCE - 1));
    }

    private static double gradient(double baseline, double current) {
        return Math.exp(LOG_TOLERANCE + baseline - current);
    }

    private boolean needsProbe(double gradient) {
        return (risenWindows >= RISEN_WINDOWS && windowsSinceProbe >= probeEvery)
                || (gradient < FREE_GROWTH && windowsSinceProbe >= PROBE_EVERY);
    }

    private void probe(int sizeClass, double current, long now) {
        probe = new Probe(limit(), sizeClass, current, window.variance(sizeClass), now);
        firstGeneration = true;
        int half = limit() / 2;
        change(half, now);
    }

    /** A probe has ended: the limit is still half of what it was. */
    private void decide(Probe ended, double current, long now) {
        double baseline = baselines[ended.sizeClass];
        double fall = ended.latency - current;
        double halving = Math.log(ended.limit / (double) limit());
        double clear =
                Math.max(LEAST_CLEAR, STANDARD_ERRORS * Math.sqrt(ended.variance + window.variance(ended.sizeClass)));
        boolean shown = fall > clear;
        probeEvery = shown ? 0 : PROBE_EVERY;
        if (!shown) {
            baselines[ended.sizeClass] = Math.min(current, baseline + rise(now));
        }
        if (!shown || fall > MAX_SLOPE * halving) {
            change(ended.limit, now);
            return;
        }
        doubling = false;
        boolean partly = fall < SLOPE * halving;
        if (!partly && current < baseline - NEWS) {
            baselines[ended.sizeClass] = current;
            if (limit() > 1) {
                probe(ended.sizeClass, current, now);
            }
        } else {
            baselines[ended.sizeClass] = Math.min(current, baseline);
            int least = partly ? Math.min(initial(max), ended.limit) : 1;
            change(Math.max(least, shrunk(ended, baseline)), now);
        }
    }

    private static double shrunk(Probe ended, double baseline) {
        return ended.limit * Math.clamp(gradient(baseline, ended.latency), MAX_SHRINK, 1);
    }

    /** By how much the baseline may rise now. */
    private double rise(long now) {
        double allowed = Math.min(MAX_RISE, (now - roseAt) / RISE_TIME);
        roseAt = now;
        return allowed;
    }

    private void change(double next, long now) {
        int before = limit();
        limit = Math.clamp(next, 1.0, max);
        if (limit() != before) {
            changedAt = now;
        }
    }
}
