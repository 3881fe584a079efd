/* SPDX-License-Identifier: Apache-2.0 */
package io.github.batchsqs.internal.receive.invoke;

import io.github.batchsqs.listener.ListenerOptions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Decides how many invocations run at once, by trials: for half of a slot of time the limit is another one, and the latencies and
 * failures of the two halves decide whether it stays. Pure: no thread, no clock of its own; not safe for use by several threads.
 *
 * <ul>
 *   <li>A trial of more needs a limit that is used. The higher limit stays if the latency rises by less than an eighth of what a queue
 *       would make of it, and no more messages fail. Until the first trial in vain, and again when the latency is twice or half of what
 *       it was, each slot has a trial, and later one slot in 16 s. The factor is 2, its square root after a trial in vain, at least 1.25,
 *       and its square after a success.
 *   <li>A trial of half takes place once in 64 s, and when the latency has doubled. If the latency falls by more than 0.6 of what a queue
 *       would make of it, or fewer messages fail, the next slot has another one. If both agree, the half stays.
 *   <li>If a tenth of the messages of 200 invocations fails by an overload, the limit halves, and each slot has a trial of twice as many again.
 *   <li>Nothing of this goes below {@link #FLOOR}, so that it is not worse than this number. Only an executor that refuses a batch
 *       halves the limit further, down to 1.
 * </ul>
 *
 * <p>Nothing is compared across slots, so a latency that wanders for everybody does little, and a dependency that is
 * slower for good is no queue. Slots, the 16 s and the 64 s begin at the same moments of the wall clock everywhere:
 * listeners and instances that share a resource make their trials at the same moment, and each sees the queue of all of
 * them. A slot has at least three latencies; after the first trial in vain it has six and at least 4 s.
 */
final class AutomaticLimit {

    /** The first limit, and the least one. */
    static final int FLOOR = ListenerOptions.AUTO_CONCURRENCY_START;

    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long CAREFUL_SLOT = 4 * SECOND;
    private static final long MORE_EVERY = 16 * SECOND;
    private static final long LESS_EVERY = 64 * SECOND;

    private static final double MAX_FACTOR = 2;
    private static final double MIN_FACTOR = 1.25;
    private static final double RISE_WITHOUT_QUEUE = 0.12;
    private static final double FALL_OF_QUEUE = 0.6;
    private static final double NEWS = Math.log(2);

    private static final double OVERLOADED = 20;
    private static final int OVERLOADED_OF = 200;

    private final int max;
    private final long sinceEpoch;

    /** With the limit, since the last trial, and with that of the trial. */
    private Sample normal = new Sample();

    private Sample trial = new Sample();

    private int limit;

    /** The limit of the trial that runs, and of the one that ended in this slot; 0 without one. */
    private int trying;

    private int tried;

    private double factor = MAX_FACTOR;
    private boolean eachSlot = true;
    private boolean careful;
    private boolean suspected;
    private double usualLatency = 1;

    private long slot = SECOND;
    private long slotEnds;
    private long changedAt;

    private int recent;
    private double overloaded;
    private @Nullable String reason;

    /** @param epochNanos the wall clock, in nanoseconds since the epoch, at {@code now} */
    AutomaticLimit(int max, long epochNanos, long now) {
        this.max = max;
        this.sinceEpoch = epochNanos - now;
        this.limit = initial(max);
        this.changedAt = now;
        this.slotEnds = slotEnd(now);
    }

    /** Returns the first limit of those with this maximum. */
    static int initial(int max) {
        return Math.min(FLOOR, max);
    }

    /** Returns how many invocations may run at once, 1 to the maximum. */
    int limit() {
        return trying == 0 ? limit : trying;
    }

    /** Returns why the limit fell last; {@code null} if it never did. */
    @Nullable
    String reason() {
        return reason;
    }

    /** Returns whether the limit has not changed since then: what began earlier ran beside another number of invocations. */
    boolean isInForceSince(long began) {
        return began - changedAt >= 0;
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
        if (!isInForceSince(startedAt)) {
            return;
        }
        Sample sample = trying == 0 ? normal : trial;
        sample.add(failed / (double) messages, running / (double) limit());
        if (failed < messages) { // a failure is often fast
            sample.time(messages, now - startedAt);
        }
        if (trying > limit && trial.failsMoreThan(normal)) {
            endTrial(now);
        }
        countOverload(overloads / (double) messages, now);
    }

    private void countOverload(double part, long now) {
        recent++;
        overloaded += part;
        if (overloaded >= OVERLOADED) {
            reason = Math.round(100 * overloaded / recent) + " % of the messages failed by an overload";
            lower(Math.max(initial(max), limit / 2), now);
        } else if (recent >= OVERLOADED_OF) {
            recent = 0;
            overloaded = 0;
        }
    }

    /** An executor refused a batch. */
    void refused(long now) {
        if (trying > limit) {
            trial = new Sample();
            endTrial(now);
        } else if (limit >= FLOOR || now - changedAt >= SECOND) {
            reason = "the executor refused a batch";
            lower(Math.max(1, limit / 2), now);
        }
    }

    private void lower(int to, long now) {
        limit = Math.min(limit, to);
        trying = 0;
        tried = 0;
        normal = new Sample();
        recent = 0;
        overloaded = 0;
        changedAt = now;
        factor = MAX_FACTOR;
        eachSlot = true;
    }

    /** Time passes. */
    void tick(long now) {
        if (trying != 0 && now - slotEnds + slot / 2 >= 0) {
            endTrial(now);
        }
        if (now - slotEnds >= 0) {
            if (tried != 0) {
                judge();
            }
            followLatency();
            slotEnds = slotEnd(now);
            if (slotEnds - now > slot / 2) {
                startSlot(now);
            }
        }
    }

    private long slotEnd(long now) {
        return now + slot - Math.floorMod(now + sinceEpoch, slot);
    }

    private void followLatency() {
        double current = normal.latency();
        if (current > 0 && Math.abs(Math.log(current / usualLatency)) > NEWS) {
            eachSlot = true;
            factor = MAX_FACTOR;
            suspected = current > usualLatency;
            usualLatency = current;
        }
        double longest = Math.max(current, trial.latency());
        if (longest > 0) {
            slot = careful ? CAREFUL_SLOT : SECOND;
            while (slot < (careful ? 6 : 3) * longest) {
                slot *= 2;
            }
        }
    }

    private void startSlot(long now) {
        long start = slotEnds - slot + sinceEpoch;
        int next = normal.isUsed() ? next(start) : limit;
        trial = new Sample();
        if (next == limit) {
            normal = new Sample();
        } else {
            trying = next;
            changedAt = now;
        }
    }

    /** Returns the limit that the slot begins with: another one for a trial. */
    private int next(long start) {
        if (suspected || start % Math.max(slot, LESS_EVERY) == 0) {
            int half = Math.max(initial(max), limit / 2);
            suspected &= half * MIN_FACTOR <= limit;
            return half * MIN_FACTOR <= limit ? half : limit;
        }
        boolean more = eachSlot || start % Math.max(slot, MORE_EVERY) == 0;
        return more ? (int) Math.min(max, Math.ceil(limit * factor)) : limit;
    }

    private void endTrial(long now) {
        tried = trying;
        trying = 0;
        if (!trial.failsMoreThan(normal) || tried < limit) {
            normal = new Sample();
        }
        changedAt = now;
    }

    private void judge() {
        double change = Math.abs(Math.log(tried / (double) limit));
        double rise = (trial.rise(normal) - trial.doubt(normal)) / change;
        double fall = (normal.rise(trial) - trial.doubt(normal)) / change;
        usualLatency = normal.latency();
        if (tried > limit) {
            if (trial.isUsed() && rise < RISE_WITHOUT_QUEUE && !trial.failsMoreThan(normal)) {
                limit = tried;
                factor = Math.min(MAX_FACTOR, factor * factor);
            } else {
                trialInVain(Math.max(MIN_FACTOR, Math.sqrt(factor)));
            }
        } else {
            boolean queue = fall > FALL_OF_QUEUE || normal.failsMoreThan(trial);
            if (queue && suspected) {
                reason = "invocations only wait for one another beyond " + tried;
                limit = tried;
                trialInVain(MIN_FACTOR);
            }
            suspected = queue;
        }
        tried = 0;
    }

    private void trialInVain(double nextFactor) {
        factor = nextFactor;
        eachSlot = false;
        careful = true;
    }
}
