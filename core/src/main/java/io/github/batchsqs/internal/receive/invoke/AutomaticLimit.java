/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import io.github.batchsqs.listener.ListenerOptions;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Decides how many invocations run at once, by trials: for the second half of a slot of time the limit is another one, and the latencies
 * and failures of the two halves decide whether it stays. Pure: no thread, no clock of its own; not safe for use by several threads.
 *
 * <ul>
 *   <li>A trial of more needs a limit that is used without an overload. The higher limit stays if the latency rises by less than 0.3
 *       of what a queue would make of it, and no more messages fail. While the limit <b>grows</b>, each slot has a trial of twice as many;
 *       after a trial in vain, one slot in 8 s has a trial of a quarter more. When one of these succeeds, the limit grows again.
 *   <li>A trial of half takes place once in 64 s. If the latency falls by more than 0.7 of what a queue would make of it, or fewer messages
 *       fail, the next slot has another one. If both agree, the half stays.
 *   <li>If a tenth of the messages of a half, and at least 20, fail by an overload, the limit halves, and grows again.
 *   <li>Nothing of this goes below {@link #FLOOR}, so that it is not worse than this number. Only an executor that refuses a batch
 *       halves the limit further, down to 1; it doubles after each slot without such a refusal.
 * </ul>
 *
 * <p>Nothing is compared across slots, so a latency that wanders for everybody does little, and a dependency that is
 * slower for good is no queue. Slots, the 8 s and the 64 s begin at the same moments of the wall clock everywhere:
 * listeners and instances that share a resource make their trials at the same moment, and each sees the queue of all of
 * them. A slot lasts a second, or six latencies if that is more. A half measures the invocations that begin and end in it, so that both leave
 * out the same part of the long ones.
 */
final class AutomaticLimit {

    /** The first limit, and the least one. */
    static final int FLOOR = ListenerOptions.AUTO_CONCURRENCY_START;

    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long MORE_EVERY = 8 * SECOND;
    private static final long LESS_EVERY = 64 * SECOND;
    private static final int LATENCIES = 6;

    /** The latency of a slot follows so many invocations. */
    private static final int SMOOTHED = 16;

    /** One invocation counts for at most so many usual latencies, and a slot that is so much too long ends. */
    private static final int MUCH = 4;

    /** The longest latency for a slot of a second. */
    private static final double LEAST = (double) SECOND / LATENCIES;

    private static final double MORE = 2;
    private static final double LITTLE_MORE = 1.25;
    private static final double RISE_WITHOUT_QUEUE = 0.3;
    private static final double FALL_OF_QUEUE = 0.7;

    private final int max;
    private final int floor;
    private final long sinceEpoch;
    private final Consumer<String> fell;

    /** With the limit in this slot, and with the number of its trial. */
    private Sample normal = new Sample();

    private Sample trial = new Sample();

    private int limit;

    /** What is in force: another number than the limit in a trial. */
    private int inForce;

    private boolean grows = true;
    private boolean suspected;
    private double latency;

    private long slot = SECOND;
    private long slotEnds;
    private boolean mayTry;
    private boolean refused;

    /** Since when the number in force is measured. */
    private long since;

    /** The highest limit since about a minute. */
    private int before;

    /**
     * Makes the limit.
     *
     * @param epochNanos the wall clock, in nanoseconds since the epoch, at {@code now}
     * @param fell notified once that the limit fell below half of what it was within about a minute, and why
     */
    AutomaticLimit(int max, long epochNanos, long now, Consumer<String> fell) {
        this.max = max;
        this.fell = fell;
        this.sinceEpoch = epochNanos - now;
        this.floor = Math.min(FLOOR, max);
        this.limit = floor;
        this.inForce = limit;
        this.before = limit;
        this.since = now;
        this.slotEnds = slotEnd(now);
    }

    /** Returns how many invocations may run at once, 1 to the maximum. */
    int limit() {
        return inForce;
    }

    /**
     * An invocation ended.
     *
     * @param messages how many messages it had, at least 1
     * @param failed how many of them failed
     * @param overloads how many of those failed by an overload
     * @param running how many invocations ran, with this one
     */
    void ended(int messages, int failed, int overloads, int running, long startedAt, long now) {
        tick(now);
        double most = MUCH * Math.max(latency, LEAST);
        latency += (Math.min((double) (now - startedAt), most) - latency) / SMOOTHED;
        if (startedAt - since < 0) {
            return;
        }
        Sample sample = inForce == limit ? normal : trial;
        sample.add(messages, failed, overloads, running / (double) inForce, now - startedAt);
        if (inForce > limit && trial.failsMoreThan(normal)) {
            abandonTrial(now);
        } else if (sample.isOverloaded()) {
            String part = Math.round(100 * sample.overloadedPart()) + " %";
            lower(Math.max(floor, limit / 2), part + " of the messages failed by an overload", now);
        }
    }

    /** An executor refused a batch. */
    void refused(long now) {
        tick(now);
        if (inForce > limit) {
            abandonTrial(now);
        } else if (limit >= FLOOR || !refused) { // below it once in a slot
            lower(Math.max(1, limit / 2), "the executor refused a batch", now);
        }
        refused = true;
    }

    private void abandonTrial(long now) {
        grows = false;
        putInForce(limit, now);
    }

    private void lower(int to, String why, long now) {
        limit = Math.min(limit, to);
        if (2 * limit < before) {
            fell.accept("from " + before + " to " + limit + " within a minute: " + why);
            before = limit;
        }
        grows = true;
        mayTry = false;
        normal = new Sample();
        putInForce(limit, now);
    }

    private void putInForce(int number, long now) {
        inForce = number;
        since = now;
    }

    /** Time passes. */
    void tick(long now) {
        boolean ended = now - slotEnds >= 0;
        if (ended || slot >= MUCH * slotThatFits()) {
            if (ended) {
                endSlot(now);
            }
            slot = slotThatFits();
            slotEnds = slotEnd(now);
            mayTry = slotEnds - now > slot / 2;
            before = start() % LESS_EVERY == 0 ? limit : Math.max(before, limit);
            refused = false;
            normal = new Sample();
            putInForce(limit, now);
        } else if (mayTry && slotEnds - now <= slot / 2) {
            mayTry = false;
            int next = limit >= floor && normal.isUsed() && slot >= slotThatFits() ? next() : limit;
            if (next != limit) {
                trial = new Sample();
                putInForce(next, now);
            }
        }
    }

    private long slotEnd(long now) {
        return now + slot - Math.floorMod(now + sinceEpoch, slot);
    }

    private long start() {
        return slotEnds - slot + sinceEpoch;
    }

    private long slotThatFits() {
        long fits = SECOND;
        while (fits < LATENCIES * latency) {
            fits *= 2;
        }
        return fits;
    }

    /** Returns the number of a trial, or the limit for none. */
    private int next() {
        if (suspected || start() % Math.max(MUCH * slot, LESS_EVERY) == 0) {
            int half = Math.max(floor, limit / 2);
            boolean less = half * LITTLE_MORE <= limit;
            suspected &= less;
            return less ? half : limit;
        }
        boolean more = grows || start() % Math.max(2 * slot, MORE_EVERY) == 0;
        return more ? (int) Math.min(max, Math.ceil(limit * (grows ? MORE : LITTLE_MORE))) : limit;
    }

    private void endSlot(long now) {
        if (limit < floor) {
            limit = refused ? limit : Math.min(floor, 2 * limit);
        } else if (inForce > limit) {
            grows = trial.isUsed() && change() < RISE_WITHOUT_QUEUE;
            limit = grows ? inForce : limit;
        } else if (inForce < limit) {
            boolean queue = change() > FALL_OF_QUEUE || normal.failsMoreThan(trial);
            if (queue && suspected) {
                lower(inForce, "invocations only wait for one another beyond " + inForce, now);
                grows = false;
            }
            suspected = queue;
        }
    }

    /** Returns which part of the change that a queue would make the latency has made in the trial. */
    private double change() {
        return trial.rise(normal) / Math.log(inForce / (double) limit);
    }
}
